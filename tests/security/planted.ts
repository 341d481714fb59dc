/**
 * Writes sessions, planning files and a list of tasks, and makes notes, handoffs and payloads, with the same
 * text in every possible field.
 */

import { HANDOFF_SECTIONS } from "../../src/saved/views/handoff.ts";
import type { Line } from "../scripts/place.ts";
import { payloadOf } from "./hostile_input.ts";
import { PARENT, SESSION, type World, writeLines } from "./world.ts";

function callsWith(text: string, world: World): [name: string, input: Line][] {
  // Text that is not a valid file name is left out of the path.
  const name = /[/\n\0]/.test(text) || text.length > 150 ? "a" : text;
  const file = `${world.project}/src/${name}.ts`;
  const todos = [
    { content: text, status: "pending", activeForm: text },
    { content: `Then ${text}`, status: "in_progress", activeForm: text },
  ];
  const options = [{ label: text, description: text }, { label: "No", description: text }];
  const questions = [{ question: text, header: text, options, multiSelect: false }];
  return [
    ["Read", { file_path: file }],
    ["Write", { file_path: file, content: text }],
    ["Edit", { file_path: file, old_string: text, new_string: `${text}\n${text}` }],
    ["MultiEdit", { file_path: file, edits: [{ old_string: text, new_string: text }] }],
    ["NotebookEdit", { notebook_path: file, new_source: text }],
    ["Bash", { command: `export A=1 ${text}; run`, description: text }],
    ["Bash", { command: `git commit -m "${text.replaceAll('"', '\\"')}"`, description: "Commit" }],
    ["Bash", { command: `git checkout -b ${text}` }],
    ["Grep", { pattern: text, path: file }],
    ["Glob", { pattern: text }],
    ["WebFetch", { url: `https://a.example/?q=${text}`, prompt: text }],
    ["WebSearch", { query: text }],
    ["Task", { description: text, prompt: text, subagent_type: text }],
    ["TodoWrite", { todos }],
    ["TaskCreate", { subject: text, description: text, activeForm: text }],
    ["TaskUpdate", { taskId: "1", status: "completed", subject: text }],
    ["AskUserQuestion", { questions }],
    ["ExitPlanMode", { plan: `## Context\n\n${text}\n\n## Decisions\n\n- ${text}` }],
    ["Skill", { skill: text, args: text }],
    ["mcp__server__tool", { anything: text, more: { deep: [text] } }],
  ];
}

function sentences(text: string): string[] {
  return [
    text,
    `Please build the login. ${text}`,
    `I decided to use ${text} because ${text} is simpler than ${text}.`,
    `We will go with ${text} instead of ${text}.`,
    `It fails: ${text}. The test still does not pass because of ${text}.`,
    `TODO: ${text}`,
    `I found out that ${text} needs ${text}.`,
    `Next step: ${text}`,
  ];
}

export function plantText(world: World, text: string): void {
  writeLines(world.transcript, plantedLines(world, text));
  writeLines(`${world.sessions}/${PARENT}.jsonl`, plantedLines(world, text, PARENT));
  const { project } = world;
  Deno.mkdirSync(`${project}/.planning/phases/01-first`, { recursive: true });
  Deno.writeTextFileSync(
    `${project}/.planning/STATE.md`,
    `# State\n\nPhase: 1 of 2 (${text})\nPlan: ${text}\nStatus: ${text}\n`,
  );
  Deno.writeTextFileSync(`${project}/.planning/ROADMAP.md`, `- [ ] **Phase 1: ${text}** - a\n`);
  const tasks = [{ id: "a", description: text, files: [text] }];
  Deno.writeTextFileSync(`${project}/tasks.json`, JSON.stringify(tasks));
}

export function notesWith(text: string): string {
  const names = ["Task", "What Changed", "Why Changed", "Active Issues", "Key Decisions"];
  return [...names, "Next Steps", "Learnings"].map((name) => `## ${name}\n\n- ${text}\n`)
    .join("\n");
}

export function handoffWith(text: string): string {
  return HANDOFF_SECTIONS.map((name) => `### ${name}\n- ${text}\n`).join("\n");
}

export function payloadWith(world: World, text: string): Record<string, unknown> {
  return {
    ...payloadOf(world),
    prompt: text,
    custom_instructions: text,
    last_assistant_message: text,
    compact_summary: text,
    tool_input: { command: text, file_path: text },
    tool_response: { stdout: text, stderr: text },
    tool_calls: [{ tool_use_id: "toolu_0", tool_name: "Bash", tool_input: { command: text } }],
    command_args: "--keep-recent 0",
  };
}

function plantedLines(world: World, text: string, id: string = SESSION): Line[] {
  const lines: Line[] = [
    { type: "summary", summary: text, leafUuid: "u1" },
    { type: "custom-title", customTitle: text, sessionId: id },
    { type: "ai-title", aiTitle: text, sessionId: id },
    { type: "queue-operation", operation: "enqueue", content: text, sessionId: id },
  ];
  let last: string | null = null;
  let count = 0;
  const add = (fields: Line): void => {
    const uuid = `u${++count}`;
    const first = count === 1;
    lines.push({
      parentUuid: last,
      isSidechain: false,
      uuid,
      cwd: first ? world.project : `${world.project}/${text}`,
      gitBranch: text,
      slug: text,
      version: "2.1.197",
      timestamp: "2026-03-01T12:00:00.000Z",
      sessionId: id,
      ...fields,
    });
    last = uuid;
  };
  const say = (content: unknown[]): void => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 165_000, output_tokens: 20 };
    const message = { id: `msg_${count}`, role: "assistant", model: "claude-haiku-4-5", content };
    add({ type: "assistant", message: { ...message, usage } });
  };
  const prompt = (content: unknown, more: Line = {}): void =>
    add({ type: "user", message: { role: "user", content }, ...more });
  const toolUseResult = {
    ...{ stdout: text, stderr: text, filePath: text, answers: { [text]: text } },
    newTodos: [{ content: text, status: "pending" }],
    structuredPatch: [{ oldStart: 1, newStart: 1, lines: [`+${text}`, `-${text}`] }],
  };
  for (const words of sentences(text)) {
    prompt(words);
    say([{ type: "thinking", thinking: words, signature: "s" }, { type: "text", text: words }]);
  }
  prompt([{ type: "text", text }]);
  for (const [index, [name, input]] of callsWith(text, world).entries()) {
    const tool_use_id = `toolu_${index}`;
    say([{ type: "tool_use", id: tool_use_id, name, input }]);
    const isError = index % 3 === 2;
    const output = `${isError ? "Error: " : ""}${text}\n`.repeat(20);
    const content = index % 2 === 0 ? output : [{ type: "text", text: output }];
    const result = { type: "tool_result", tool_use_id, content, is_error: isError };
    prompt([result], { toolUseResult });
  }
  add({ type: "attachment", attachment: { type: "file", filename: text, content: text } });
  add({ type: "system", subtype: "local_command", content: text });
  for (const words of sentences(text)) say([{ type: "text", text: words }]);
  return [...lines, { type: "last-prompt", lastPrompt: text, leafUuid: last, sessionId: id }];
}
