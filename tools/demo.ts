/**
 * Demonstrates the main task on a session that ships with the project: shows how full its window is, trims
 * it, and shows the content of the copy. All files are in a temporary folder.
 *
 * @module
 */

import { ensureDirSync } from "@std/fs";
import { runDeno } from "./child.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");

const FIXTURE = `${ROOT}/tests/fixtures/demo`;

/** Maximum number of characters that the demo shows of a transcript line, which can be long. */
const SHOWN_CHARS = 300;

function say(text: string): void {
  console.log(text);
}

function indent(text: string): string {
  return text.trimEnd().split("\n").map((line) => `    ${line}`).join("\n");
}

const folder = Deno.makeTempDirSync({ prefix: "trimtab-demo-" });
try {
  const configDir = `${folder}/.claude`;
  const sessions = `${configDir}/projects/-home-you-project`;
  ensureDirSync(sessions);
  const [file] = [...Deno.readDirSync(FIXTURE)].filter((item) => item.name.endsWith(".jsonl"));
  if (file === undefined) throw new Error(`Cannot run the demo: no session in ${FIXTURE}`);
  const id = file.name.replace(/\.jsonl$/, "");
  Deno.copyFileSync(`${FIXTURE}/${file.name}`, `${sessions}/${file.name}`);

  const trimtab = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runDeno(
      ["run", "--quiet", "--no-prompt", "--allow-read", "--allow-write", "--allow-env"].concat(
        `${ROOT}/scripts/trimtab.ts`,
        args,
      ),
      { cwd: folder, env: { CLAUDE_CONFIG_DIR: configDir, CLAUDE_CODE_SESSION_ID: "" } },
    );
    if (code !== 0) throw new Error(`trimtab ${args.join(" ")} failed: ${stderr}`);
    return stdout;
  };

  say("A Claude Code session has been reading source files for a while. How full is its window?\n");
  say(`  $ trimtab status ${id.slice(0, 8)}`);
  say(indent(await trimtab("status", id)));

  say(
    "\nMost of it is tool output that is no longer needed in full. How much would a trim",
  );
  say("save? A dry run writes nothing:\n");
  say(`  $ trimtab trim ${id.slice(0, 8)} --dry-run`);
  say(indent(await trimtab("trim", id, "--dry-run")));

  say("\nThe trim is worthwhile. It writes a copy and does not change the session:\n");
  say(`  $ trimtab trim ${id.slice(0, 8)}`);
  const output = await trimtab("trim", id);
  say(indent(output));
  const copy = /claude --resume (\S+)/.exec(output)?.[1];
  if (copy === undefined) throw new Error("The trim named no session to resume");

  say("\nThis is what Claude Code shows for the copy once you resume it:\n");
  say(`  $ trimtab status ${copy.slice(0, 8)}`);
  say(indent(await trimtab("status", copy)));

  const text = Deno.readTextFileSync(`${sessions}/${copy}.jsonl`);
  const [, line, parent] = /See line (\d+) of (\w{8}) for full content/.exec(text) ?? [];
  if (line === undefined || parent === undefined) throw new Error("The copy contains no notice");
  say("\nEach cut output names the line with the whole output, and this command prints it:\n");
  say(`  $ trimtab show ${parent}:${line}`);
  const shown = await trimtab("show", `${parent}:${line}`);
  say(indent(shown.slice(0, SHOWN_CHARS)) + "\n    ...");
  say("\nDone. The temporary folder is removed. Your own files were neither read nor written.");
} finally {
  Deno.removeSync(folder, { recursive: true });
}
