// Failures: fixtures that could not be reloaded, and a page that is not up to date.

// failure shows why the fixtures could not be reloaded: each mistake with its place, its line, and
// a caret under the column. Without an error it shows nothing.
function failure({error, mistakes = []} = {}) {
  if (!error) return error;
  const title = "The fixtures could not be reloaded. The last good ones are served.";
  const list = element("ul", {}, mistakes.map(mistakeItem));
  return element("section", {"aria-labelledby": "failed"},
    element("h2", {id: "failed"}, title),
    mistakes.length > 0 ? list : element("p", {}, error));
}

function mistakeItem({file, line, column, path, problem, instead, source}) {
  const place = line ? `${file}:${line}:${column}` : file;
  return element("li", {},
    file && [code(place), " "],
    path && [code(longText(path)), " "],
    element("strong", {}, problem),
    instead && "; " + instead,
    source && element("pre", {tabindex: 0, "aria-label": "The line"}, marked(source, column)));
}

// marked returns a line of a file, and under it a caret that marks a column. It cuts a long line to
// 200 characters near the column.
function marked(source, column) {
  const characters = [...source];
  const start = column > 80 ? column - 60 : 0;
  const part = characters.slice(start, start + 200);
  const before = part.slice(0, column - 1 - start);
  const indent = before.map((character) => character === "\t" ? "\t" : " ").join("");
  const [lead, space] = start > 0 ? ["…", " "] : ["", ""];
  return `${lead}${part.join("")}\n${space}${indent}^`;
}

// drawConnection shows whether the page is up to date. If `wrong` is "", it is. Otherwise `wrong`
// says why not, and drawConnection shows this text with the time.
function drawConnection(wrong) {
  say("live", wrong ? "connecting" : "live");
  byId("live").classList.toggle("lost", wrong !== "");
  redraw(byId("lost"), wrong, () => wrong && [
    element("strong", {}, wrong), " What is shown is from before ",
    clock(new Date().toISOString()), ". The page goes on asking.",
  ]);
}
