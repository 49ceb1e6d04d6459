// Functions that call the control plane of a server.

// call sends a request to the control plane, and returns the JSON of the answer, or {} if the
// answer has no JSON. If the server refuses the request, call throws an error whose property status
// is the HTTP status.
async function call(server, method, path, body) {
  const url = new URL(`/_fake/${path}`, server);
  const answer = await send(server, url, { method, body: JSON.stringify(body) });
  const value = await answer.json().catch(() => ({})); // some answers have no body
  if (!answer.ok) {
    const error = new Error(`campaignfake: ${refusal(server, answer.status, value)}`);
    error.status = answer.status;
    throw error;
  }
  return value;
}

// send sends a request. If no server answers, it throws an error that says what to do.
async function send(server, url, request) {
  try {
    return await fetch(url, request);
  } catch (error) {
    const reason = error.cause?.code ?? error.message;
    throw new Error(
      `campaignfake: no server answers at ${server} (${reason}); start it, or set campaignsURL`,
    );
  }
}

// refusal returns what was wrong with a request that the server refused, and what to write instead.
// The argument `problem` is the JSON of the answer.
function refusal(server, status, problem) {
  if (problem.mistakes) {
    return problem.mistakes.map(mistakeLine).join("\n");
  }
  return problem.detail ?? `${server} answers ${status}`;
}

// mistakeLine describes a mistake in the body of a request, and names the field by its path. If the
// server could not parse the body, there is no path. Then mistakeLine names line and column, and
// adds this line of the body.
function mistakeLine({ path, file, line, column, problem, instead, source }) {
  const what = instead ? `${problem}; ${instead}` : problem;
  if (path) return `${path}: ${what}`;
  const place = `${file}:${line}:${column}: ${what}`;
  return source ? `${place}\n    ${source}` : place;
}

module.exports = { call };
