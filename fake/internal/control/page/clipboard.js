// Texts are copied.
import {element} from "./elements.js";
import {notice} from "./notices.js";

// copy copies a text, and says so.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text); // as on a page that is not from this machine
  }
  notice("Copied.");
}

function copySelected(text) {
  const area = element("textarea", {}, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
