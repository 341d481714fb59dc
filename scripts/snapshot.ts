import { snapshot } from "../mod.ts";
import { grouped } from "../src/inject/bound.ts";
import { command } from "../cli/command.ts";
import { valued } from "../cli/spec.ts";

export const SPEC = {
  name: "snapshot",
  positionals: "[SESSION]",
  options: [valued("name", "text", "NAME", "a name to find it by")],
};

export const run = command(SPEC, async (options, session) => {
  const json = await snapshot({ session, name: options.name });
  const { snapshot_id, name, token_count, file_path, warning } = json;
  const lines = [
    `Snapshot ${snapshot_id}${name === null ? "" : ` (${name})`} saved, ` +
    `about ${grouped(token_count)} tokens.`,
    file_path,
    `Read it with: trimtab rehydrate ${snapshot_id}`,
    ...(warning === undefined ? [] : [warning]),
  ];
  return { json, text: lines.join("\n") };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
