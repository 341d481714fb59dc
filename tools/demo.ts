/**
 * Demonstrates the main task on a session that ships with the project: shows how full its window is, trims
 * it, and shows the content of the copy. All files are in a temporary folder.
 */

import { ensureDirSync } from "@std/fs";
import { runDeno } from "./child.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");

const FIXTURE = `${ROOT}/tests/fixtures/demo`;

const SHOWN_LINES = 12;

const folder = Deno.makeTempDirSync({ prefix: "trimtab-demo-" });
try {
  const configDir = `${folder}/.claude`;
  const sessions = `${configDir}/projects/-home-you-project`;
  ensureDirSync(sessions);
  const [file] = [...Deno.readDirSync(FIXTURE)].filter((item) => item.name.endsWith(".jsonl"));
  if (file === undefined) throw new Error(`Cannot run the demo: no session in ${FIXTURE}`);
  const id = file.name.slice(0, 8);
  Deno.copyFileSync(`${FIXTURE}/${file.name}`, `${sessions}/${file.name}`);

  const demonstrate = async (why: string, ...words: string[]): Promise<string> => {
    console.log(`\n${why}\n\n  $ trimtab ${words.join(" ")}`);
    const flags = ["--quiet", "--no-prompt", "--allow-read", "--allow-write", "--allow-env"];
    const args = ["run", ...flags, `${ROOT}/scripts/trimtab.ts`, ...words];
    const env = { CLAUDE_CONFIG_DIR: configDir, CLAUDE_CODE_SESSION_ID: "" };
    const { code, stdout, stderr } = await runDeno(args, { cwd: folder, env });
    if (code !== 0) throw new Error(`trimtab ${words.join(" ")} failed: ${stderr}`);
    const lines = stdout.trimEnd().split("\n").map((line) => `    ${line}`);
    console.log(lines.slice(0, SHOWN_LINES).join("\n"));
    if (lines.length > SHOWN_LINES) console.log("    ...");
    return stdout;
  };

  await demonstrate(
    "A Claude Code session has been reading source files for a while. How full is its window?",
    ...["status", id],
  );
  await demonstrate(
    "Most of it is tool output that is no longer needed in full. How much would a trim save?\n" +
      "A dry run writes nothing:",
    ...["trim", id, "--dry-run"],
  );
  const output = await demonstrate(
    "The trim is worthwhile. It writes a copy and does not change the session:",
    ...["trim", id],
  );
  const copy = /claude --resume (\S+)/.exec(output)?.[1];
  if (copy === undefined) throw new Error("The trim printed no session to resume");
  await demonstrate(
    "This is what Claude Code shows for the copy once you resume it:",
    ...["status", copy.slice(0, 8)],
  );
  const text = Deno.readTextFileSync(`${sessions}/${copy}.jsonl`);
  const [, line, parent] = /See line (\d+) of (\w{8}) for full content/.exec(text) ?? [];
  if (line === undefined || parent === undefined) throw new Error("The copy contains no notice");
  await demonstrate(
    "Each shortened output says which line has the full output. This command prints that line:",
    ...["show", `${parent}:${line}`],
  );
  console.log(
    "\nDone. The temporary folder is removed. Your own files were neither read nor written.",
  );
} finally {
  Deno.removeSync(folder, { recursive: true });
}
