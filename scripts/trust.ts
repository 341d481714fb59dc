import { MAX_CONFIG_FILE_BYTES } from "../src/config/files.ts";
import { distrust, projectFiles, trustText } from "../src/config/trust.ts";
import { targetOf } from "../src/store/exists.ts";
import { readTextSync } from "../src/store/read_file.ts";
import { command } from "../cli/command.ts";
import { valueLines, waitingLines } from "../src/verbs/config.ts";
import { locateProject, type ProjectPlace } from "../src/verbs/place.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "trust",
  options: [flag("undo", "stop trusting the files")],
  notes: [
    "Without trust, a value in .work.toml or .claude/trimtab.toml takes effect only if it makes",
    "trimtab quieter than your own configuration. Trust a file again after it has changed.",
  ],
};

export const run = command(SPEC, async ({ undo: isUndone = false }) => {
  const { loadContextConfig } = await import("../src/config/load.ts");
  const place = locateProject();
  const { waiting } = loadContextConfig(place);
  const files = isUndone ? [] : trustFiles(place);
  if (isUndone) distrust(place);
  const { waiting: still } = loadContextConfig(place);
  const { projectDir: project } = place;
  const json = { project, files, counts: isUndone ? [] : waiting, waiting: still };
  const lines = isUndone
    ? ["The files are no longer trusted.", ...waitingLines(still)]
    : files.length === 0
    ? [`${project} has no configuration file.`]
    : [
      ...files.map((path) => `Trusted in its current form: ${path}`),
      ...valueLines(waiting, "now in effect:"),
    ];
  return { json, text: lines.join("\n") };
});

function trustFiles(place: ProjectPlace): string[] {
  const files = projectFiles(place).filter(({ path }) => targetOf(path) !== null);
  for (const file of files) trustText(file, readTextSync(file.path, MAX_CONFIG_FILE_BYTES), place);
  return files.map(({ path }) => path);
}

if (import.meta.main) Deno.exit(await run(Deno.args));
