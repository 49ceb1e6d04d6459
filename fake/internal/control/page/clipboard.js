// Texts are copied.

// copy copies a text, and says whether it is copied.
async function copy(text) {
  const isCopied = await copyText(text) || copySelected(text);
  notice(isCopied ? "Copied." : "Nothing was copied: the browser does not let this page copy.");
}

// copyText copies a text, and returns whether it could. The browser does not let it on a page that
// is not from this machine.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// copySelected copies a text in the older way, and returns whether it could. The focus is where it
// was afterwards.
function copySelected(text) {
  const focused = document.activeElement;
  const area = element("textarea", {}, text);
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return isCopied;
}
