// Calls of the control plane of a server.

// call sends a request, and returns the JSON of its answer. The error of a call that is refused has
// the status of the answer.
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

// send sends a request, and fails with what to do if no server answers it.
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

// refusal says what was wrong with a request, and what to write instead.
function refusal(server, status, problem) {
  if (problem.mistakes) {
    return problem.mistakes.map(mistakeLine).join("\n");
  }
  return problem.detail ?? `${server} answers ${status}`;
}

// mistakeLine says what is wrong with a field of the body. If the body cannot be read, no field is
// known, and the place in its JSON is named, with that JSON below.
function mistakeLine({ path, file, line, column, problem, instead, source }) {
  const what = instead ? `${problem}; ${instead}` : problem;
  if (path) return `${path}: ${what}`;
  const place = `${file}:${line}:${column}: ${what}`;
  return source ? `${place}\n    ${source}` : place;
}

module.exports = { call };
