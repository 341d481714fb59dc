/** Shared by the tests of reports: a project with a session that has many kinds of content. */

import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { extractState } from "../../src/extract/extract_state.ts";
import { pressureOrEstimate } from "../../src/trim/known_pressure.ts";
import { type SessionReport, sessionReport } from "../../src/report/session_report.ts";
import { createSession, endSession } from "../../src/designs/sessions.ts";
import { type Project, tempProject } from "../saved/checkpoints.ts";

export const PARENT = "11111111-0000-4000-8000-000000000000";
export const SESSION = "22222222-0000-4000-8000-000000000000";
export const NOW = new Date("2026-03-01T13:00:00Z");

/** Contains markup, the end of a script, a terminal sequence and a character that reverses the text. */
export const HOSTILE =
  `</script><script>globalThis.pwned=1</script><img src=x onerror="pwned=1"> \x1b[31mred\x1b[0m \u202etxt.exe --><!--`;

/** Assembled here, so that scanners do not report this file as a leak. */
export const SECRET = "gh" + "p_" + "aB3dE6".repeat(6);

export type Line = Record<string, unknown>;

/** Tokens that an answer was billed for. */
export interface Billed {
  input?: number;
  read?: number;
  write?: number;
  output?: number;
}

/** Each line is a minute after the line before it. */
export class SessionLines {
  readonly lines: Line[] = [];
  #minutes = 0;
  #last: string | null = null;
  #id = 0;

  prompt(content: string | Line[]): this {
    return this.#add("user", { message: { role: "user", content } });
  }

  answer(blocks: Line[], billed: Billed, more: Line = {}): this {
    const id = `msg_${++this.#id}`;
    const { input = 10, read = 0, write = 0, output = 100 } = billed;
    const usage = {
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
      output_tokens: output,
    };
    for (const [index, block] of blocks.entries()) {
      const isLast = index === blocks.length - 1;
      const message = {
        ...{ id, role: "assistant", model: "claude-sonnet-4-6", content: [block] },
        stop_reason: isLast ? "end_turn" : null,
        // Before an answer's last line, the output count can be a placeholder.
        usage: isLast ? usage : { ...usage, output_tokens: 1 },
      };
      this.#add("assistant", { message, ...more });
    }
    return this;
  }

  result(id: string, content: unknown, isError = false): this {
    const block = { type: "tool_result", tool_use_id: id, content, is_error: isError };
    return this.#add("user", { message: { role: "user", content: [block] } });
  }

  compaction(preTokens: number): this {
    const compactMetadata = { trigger: "auto", preTokens };
    const content = "Conversation compacted";
    this.#add("system", { subtype: "compact_boundary", content, compactMetadata });
    const boundary = this.lines.at(-1);
    if (boundary !== undefined) boundary.parentUuid = null;
    return this.#add("user", {
      isCompactSummary: true,
      message: { role: "user", content: "This session is being continued." },
    });
  }

  text(): string {
    return this.lines.map((line) => JSON.stringify(line) + "\n").join("");
  }

  #add(type: string, line: Line): this {
    const uuid = `00000000-0000-4000-8000-${String(this.lines.length + 1).padStart(12, "0")}`;
    const at = new Date(Date.parse("2026-03-01T10:00:00Z") + this.#minutes++ * 60_000);
    const isSidechain = line.isSidechain === true;
    const parentUuid = isSidechain ? null : this.#last;
    const timestamp = at.toISOString();
    this.lines.push({ type, uuid, parentUuid, sessionId: SESSION, timestamp, ...line });
    if (!isSidechain) this.#last = uuid;
    return this;
  }
}

export function call(id: string, name: string, input: Line): Line {
  return { type: "tool_use", id, name, input };
}

export function textLine(text: string): Line {
  return { type: "text", text };
}

export function sampleLines(projectDir: string): SessionLines {
  const file = `${projectDir}/src/a.ts`;
  const code = "const answer = compute(42);\n".repeat(200);
  const signature = "s".repeat(400);
  const thinking = { type: "thinking", thinking: "Let me think about it for a while.", signature };
  return new SessionLines()
    .prompt(`Read it ${HOSTILE} with ${SECRET}`)
    .answer([textLine("I will."), call("t1", "Read", { file_path: file })], { write: 20_000 })
    .result("t1", code)
    .answer([call("t2", "Bash", { command: `echo ${HOSTILE}` })], { read: 20_000, write: 1_500 })
    .result("t2", `${HOSTILE}\n`.repeat(60))
    .answer([textLine("agent")], { write: 4_000 }, { isSidechain: true })
    .answer([textLine("Done.")], { read: 0, write: 23_000 })
    .prompt("Now change it")
    .answer([call("t3", "Edit", { file_path: file, old_string: "42", new_string: HOSTILE })], {
      read: 23_000,
      write: 300,
    })
    .result("t3", "The file was changed.")
    .answer([call("t4", "Read", { file_path: `${projectDir}/${HOSTILE}.ts` })], { read: 23_300 })
    .result("t4", "no such file", true)
    .compaction(24_000)
    .prompt("And once more")
    .answer([thinking, call("t5", "Read", { file_path: file })], { write: 12_000 })
    .result("t5", code)
    .answer([call("t6", "Grep", { pattern: "answer" })], { read: 12_000, write: 2_000 })
    .result("t6", "src/a.ts:1: const answer\n".repeat(120))
    .answer([textLine("That is all.")], { read: 14_000, write: 1_500 });
}

/** A project with a session, its checkpoint and its lineage. Disposing of it removes all files. */
export interface SamplePlace extends Project {
  readonly transcript: string;
}

export function samplePlace(): SamplePlace {
  const place = tempProject();
  const { projectDir, configDir } = place;
  const folder = `${configDir}/projects/${projectDir.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  Deno.mkdirSync(folder, { recursive: true });
  const transcript = `${folder}/${SESSION}.jsonl`;
  Deno.writeTextFileSync(transcript, sampleLines(projectDir).text());
  const at = (minute: number) => Date.parse("2026-03-01T10:00:00Z") + minute * 60_000;
  const parent = { projectDir, sessionId: PARENT };
  createSession({ ...parent, now: new Date(at(-60)), workerId: HOSTILE });
  endSession({ ...parent, reason: "rollover", contextAtEnd: 81, now: new Date(at(-1)) });
  const own = { projectDir, sessionId: SESSION, parentSessionId: PARENT, now: new Date(at(0)) };
  createSession({ ...own, workerId: HOSTILE });
  writeCheckpoint(extractState(transcript), {
    ...{ projectDir, configDir, trigger: "auto", sessionId: SESSION, usagePercent: 12 },
    ...{ now: () => at(9), retentionDays: 7 },
  });
  return { ...place, transcript };
}

export async function sampleReport(
  place: SamplePlace,
  transcript: string = place.transcript,
): Promise<SessionReport> {
  const { context: config } = DEFAULT_CONFIG;
  const owner = { projectDir: "/nowhere", sessionId: "none" };
  return sessionReport({
    session: { id: SESSION, path: transcript },
    projectDir: place.projectDir,
    pressure: await pressureOrEstimate({ transcript, config, owner, env: () => undefined }),
    config: DEFAULT_CONFIG,
    trim: { keepRecent: 1 },
    now: NOW,
  });
}
