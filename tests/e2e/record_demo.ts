/**
 * Records the session that `task demo` trims: the real client against the mock, in a project made of
 * this repository's own sources.
 *
 *     deno run --allow-all tests/e2e/record_demo.ts
 */

import { ensureDirSync, walkSync } from "@std/fs";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell } from "./bed/client.ts";
import { startMock, type TurnLike } from "./bed/mock_api.ts";
import { call } from "./golden/script.ts";

const SHOWN_PROJECT = "/home/you/project";

/** Fixed, because pages of the docs refer to the session and its lines. */
const SESSION = "c6a36628-8838-4dae-be63-2724adaa9731";

const READ_COUNT = 22;

const recorded = newSmallHome();
const { home, cwd } = recorded;
const sources = ["transcript", "trim"]
  .flatMap((room) => [...walkSync(`${PLUGIN}/src/${room}`, { exts: ["ts"], includeDirs: false })])
  .map(({ path }) => path.slice(PLUGIN.length + 1))
  .sort();
for (const path of sources) {
  ensureDirSync(`${cwd}/${path}`.replace(/\/[^/]*$/, ""));
  Deno.copyFileSync(`${PLUGIN}/${path}`, `${cwd}/${path}`);
}

function run(command: string, description: string): TurnLike {
  return [call("Bash", { command, description })];
}

const notes = `${cwd}/NOTES.md`;
const content = "# Notes\n\n- Positions are bytes of the file, one character each.\n";
const [old_string, more] = ["- Positions", "- Lines are never decoded before they must be."];

const turns: TurnLike[] = [
  [
    { type: "text", text: "I look at how the project is laid out first." },
    call("Glob", { pattern: "**/*.ts" }),
  ],
  [call("Grep", { pattern: "export function", output_mode: "content", "-n": true })],
  ...sources.slice(0, READ_COUNT).map((path) => [call("Read", { file_path: `${cwd}/${path}` })]),
  run('grep -rn "@throws" src', "List what can be thrown"),
  run("wc -l $(find src -name '*.ts')", "Count lines"),
  [call("Write", { file_path: notes, content })],
  [call("Edit", { file_path: notes, old_string, new_string: `${more}\n${old_string}` })],
  run("head -c 9000 src/trim/rewrite.ts", "Look at the rewriter once more"),
  "The reader hands out lines as bytes, and the trimmer changes only what it must. " +
  "The next step is a test that feeds it one byte at a time.",
];

/** Long enough ago that any prompt cache has expired. */
const SHOWN_START_MS = Date.parse("2026-11-20T09:00:00Z");
const startMs = Date.now();

function shiftTimes(text: string): string {
  return text.replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, (time) => {
    const shiftedMs = SHOWN_START_MS + Date.parse(time.slice(1, -1)) - startMs;
    return JSON.stringify(new Date(shiftedMs));
  });
}

/** Removes the client's prompt and tools, which are long and not trimtab's to distribute. */
function withoutPrompt(line: string): string {
  if (!line.includes('"type":"prompt_snapshot"')) return line;
  const { attachment, ...entry } = JSON.parse(line);
  const cut = { systemPrompt: ["You are an agent."], ...("tools" in attachment && { tools: [] }) };
  return JSON.stringify({ ...entry, attachment: { ...attachment, ...cut } });
}

await using mock = await startMock({ turns, ids: "demo" });
const { sessionId, transcriptPath } = await runClientWell({
  home: recorded,
  mock,
  prompt: "Read the sources and tell me how a transcript is trimmed. Keep notes in NOTES.md.",
  args: ["--session-id", SESSION],
});
if (mock.violations.length > 0) throw new Error(mock.violations.join("\n"));
const folder = `${PLUGIN}/tests/fixtures/demo`;
ensureDirSync(folder);
const text = Deno.readTextFileSync(transcriptPath)
  .replaceAll(cwd, SHOWN_PROJECT)
  .replaceAll(cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), SHOWN_PROJECT.replaceAll("/", "-"))
  .replaceAll(home, "/home/you")
  .split("\n").filter((line) => !line.startsWith('{"type":"api-request')).map(withoutPrompt)
  .join("\n");
Deno.writeTextFileSync(`${folder}/${sessionId}.jsonl`, shiftTimes(text));
console.log(`${folder}/${sessionId}.jsonl: ${text.length} characters`);
recorded[Symbol.dispose]();
