// drawSettings draws the settings, once the page has asked for them.
function drawSettings() {
  const {settings} = state;
  if (settings) redraw(byId("settings"), settings, () => settingTable(settings));
}

function settingTable(settings) {
  const heads = ["setting", "value", "basis"].map((name) => {
    return element("th", {scope: "col"}, name);
  });
  return element("table", {"aria-label": "Settings"},
    element("thead", {}, element("tr", {}, heads)),
    element("tbody", {}, settings.map(settingRow)));
}

function settingRow({name, value, basis, where}) {
  const isOption = where?.startsWith("-");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return element("tr." + basis, {},
    element("td", {}, code(name)),
    element("td", {}, value === null ? "–" : code(longText(text))),
    element("td", {}, basis,
      where && element("div", {}, element(isOption ? "code.option" : "code", {}, where))));
}
