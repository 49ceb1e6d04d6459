// Files of fixtures.
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

// file writes a file of fixtures, which is there until the test ends, and returns its name.
export function file(t, text, name = "fixtures.yaml") {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  t.after(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
