import { report } from "../mod.ts";
import { sizeInKb } from "../src/inject/bound.ts";
import { openFile } from "../src/report/save_page.ts";
import { command } from "../cli/command.ts";
import { flag, UsageError, valued } from "../cli/spec.ts";

export const SPEC = {
  name: "report",
  positionals: "[SESSION]",
  options: [
    {
      ...valued("output", "text", "FILE", "where to write it (.claude/trimtab/reports/)"),
      short: "o",
    },
    flag("open", "open it in the browser"),
  ],
  notes: [
    "The page is one self-contained file. It quotes the session with credentials removed: review",
    "it before you share it.",
  ],
};

export const run = command(SPEC, async ({ output, open = false }, session) => {
  if (output === "-") throw new UsageError("Cannot run report: --output must be a file, got -");
  const { path, bytes, report: data } = await report({ session, output });
  const json = { path, bytes, opened: null, report: data };
  const text = `Wrote ${path} (${sizeInKb(bytes)}).`;
  if (!open) return { json, text };
  const problem = openFile(path);
  const note = problem === null
    ? " Opened in the browser."
    : `\nCould not open it in a browser: ${problem}. Open it by hand.`;
  return { json: { ...json, opened: problem === null }, text: text + note };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
