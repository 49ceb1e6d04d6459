// Copies texts to the clipboard.

// copy copies a text, and shows a notice that says whether it worked.
async function copy(text) {
  const isCopied = await copyText(text) || copySelected(text);
  notice(isCopied ? "Copied." : "Nothing was copied: the browser does not let this page copy.");
}

// copyText copies a text with the Clipboard API, and returns whether it could. Over plain HTTP, the
// browser allows this only if the page comes from this machine.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// copySelected copies a text with the older execCommand, which copies only selected text. It
// returns true if the browser has copied the text. Before it returns, it gives the focus back to
// the element that had the focus.
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
