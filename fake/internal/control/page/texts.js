// Makes texts from values.

// The page shortens tokens and texts that are longer than these lengths, in UTF-16 units.
const longestToken = 48;
const longestText = 200;

function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

// shortToken shows a long token by its start and its end, since tokens of logins often start alike.
function shortToken(token) {
  if (token.length <= longestToken) return token;
  return `${token.slice(0, 14)}…${token.slice(-9)}`;
}

// shortText shows a long text by its start.
function shortText(text) {
  if (text.length <= longestText) return text;
  const start = [...text].slice(0, 100).join(""); // cuts no character in two
  return start + "…";
}

function sentence(words) {
  if (!words) return words;
  const end = /[.?!]$/.test(words) ? "" : ".";
  return words[0].toUpperCase() + words.slice(1) + end;
}

// showDirections replaces each mark that changes the direction of a text by U+FFFD, a visible
// character. Otherwise the mark could also turn around other text on the page.
function showDirections(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function curl(url, headers, method = "GET") {
  const words = ["curl"];
  if (method === "HEAD") {
    words.push("-I"); // with -X HEAD, curl would wait for a body
  } else if (method !== "GET") {
    words.push("-X", quoted(method));
  }
  for (const header of headers) words.push("-H", quoted(header));
  words.push(quoted(url));
  return words.join(" ");
}

// quoted returns a text as one word of a shell.
function quoted(text) {
  return "'" + text.replaceAll("'", `'\\''`) + "'";
}

function milliseconds(ms) {
  if (ms < 10) return ms.toFixed(2) + " ms";
  if (ms < 100) return ms.toFixed(1) + " ms";
  return (ms / 1000).toFixed(2) + " s";
}

// resultOf says how a request went: by a word, and by the CSS class of its colour.
function resultOf({complete, status, broken, advice}) {
  if (!complete) return {word: "…", kind: "wait"};
  if (status === 0) return {word: "none", kind: "cut"};
  const word = String(status);
  if (broken) return {word, kind: "cut"};
  if (status >= 500) return {word, kind: "bad"};
  if (status >= 400 || advice) return {word, kind: "odd"};
  return {word, kind: "ok"};
}

// The tokens of JSON, even of JSON that is cut off. Empty brackets are one token.
const jsonToken = /"(?:[^"\\]|\\.)*"?|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/gs;

// widestIndent is the longest indent, in characters. JSON that needs a longer indent is not laid
// out: the indents alone could fill the memory.
const widestIndent = 400;

// laidOut breaks JSON into lines and indents them, even if the JSON is cut off. It leaves other
// text as it is. It returns the new text, and the index in the new text that corresponds to the
// index `place` in the old text.
function laidOut(text, place) {
  const isJSON = /^\s*[{[]/.test(text);
  if (!isJSON) return [text, place];
  let laid = "";
  let indent = "\n";
  let placeNow = -1;
  for (const {0: token, index} of text.matchAll(jsonToken)) {
    if (/^[}\]]/.test(token)) {
      indent = indent.slice(0, -2);
      laid += indent;
    }
    const isReached = index + token.length >= place;
    if (isReached && placeNow < 0) {
      placeNow = laid.length + Math.max(place - index, 0);
    }
    laid += token;
    if (indent.length > widestIndent) return [text, place];
    if (token === "{" || token === "[") {
      indent += "  ";
      laid += indent;
    } else if (token === ",") {
      laid += indent;
    } else if (token === ":") {
      laid += " ";
    }
  }
  return [laid, placeNow < 0 ? laid.length : placeNow];
}
