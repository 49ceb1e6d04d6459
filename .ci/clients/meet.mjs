// meet sends one request, and says in a word or two what came of it. It runs in
// Node as it runs in a browser's page, so that both are told apart by nothing
// but themselves.
export async function meet(base, {token, patience}) {
  const headers = {Authorization: `Bearer ${token}`};
  let text;
  try {
    const response = await fetch(`${base}/user/campaigns`, {headers, signal: AbortSignal.timeout(patience)});
    if (!response.ok) return `status ${response.status}`;
    text = await response.text();
  } catch (error) {
    return error.name === "TimeoutError" ? "timeout" : "broken";
  }
  try {
    const {campaigns} = JSON.parse(text);
    return campaigns.length === 1 ? `one ${campaigns[0].status}` : `list of ${campaigns.length}`;
  } catch {
    return "no JSON";
  }
}
