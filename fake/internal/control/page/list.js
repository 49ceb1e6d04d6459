// The list of requests. The URL has a filter, such as a token, and words to search. The server
// applies the filter, and this page searches for the words.

const fewRequests = 50;

// getList asks for the latest requests that the URL selects. If the URL has words to search,
// getList keeps only the requests that have each of these words.
async function getList() {
  const limit = parameter("rows") ? manyRequests : fewRequests;
  const filter = {};
  if (isOfToken()) filter.token = chosenToken();
  if (parameter("show") === "advice") filter.advice = true;
  if (parameter("show") === "passed") filter.passed_on = true;
  const words = searchWords();
  if (words.length === 0) return getRequests({...filter, limit});
  const requests = await getSearched(filter);
  const found = requests.filter((request) => isFound(words, request));
  return {
    requests: found.slice(0, limit),
    more: found.length > limit,
    found: found.length,
  };
}

// getSearched asks for all requests that a search has to look into. It first asks for brief
// requests, whose long URLs are cut off. If a URL was cut off, getSearched asks for the whole
// requests, because a searched word may be in the missing part.
async function getSearched(filter) {
  const all = {...filter, limit: manyRequests};
  const {requests} = await getRequests(all);
  const isShortened = requests.some(({url}) => url.endsWith("…"));
  if (!isShortened) return requests;
  const whole = await getWholeRequests(all);
  return whole.requests;
}

// isFound says whether a request has each word of a search in its status, method, URL or token. A
// word such as 5xx finds every status from 500 to 599. The words "passed on" find requests that
// were passed on to the upstream.
function isFound(words, request) {
  const {status, method, url, token, passed_on: isPassedOn} = request;
  const parts = [resultOf(request).word, method, url, token || "no token"];
  if (status > 0) parts.push(`${Math.floor(status / 100)}xx`);
  if (isPassedOn) parts.push("passed on");
  const text = parts.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
