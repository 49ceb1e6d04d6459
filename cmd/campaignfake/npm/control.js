// Calls of the control plane of a server.

// call sends a request, and returns the JSON of its answer.
async function call(server, method, path, body) {
  const url = new URL(`/_fake/${path}`, server);
  let answer;
  try {
    answer = await fetch(url, { method, body: JSON.stringify(body) });
  } catch (error) {
    const reason = error.cause?.code ?? error.message;
    throw new Error(
      `campaignfake: no server answers at ${server} (${reason}); start it, or set campaignsURL`,
    );
  }
  const value = await answer.json().catch(() => ({})); // some answers have no body
  if (!answer.ok) throw new Error(`campaignfake: ${refusal(server, answer.status, value)}`);
  return value;
}

// refusal says what was wrong with a request, and what to write instead.
function refusal(server, status, problem) {
  if (problem.mistakes) {
    return problem.mistakes.map((m) => `${m.path}: ${m.problem}; ${m.instead}`).join("\n");
  }
  return problem.detail ?? `${server} answers ${status}`;
}

module.exports = { call };
