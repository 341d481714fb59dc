/**
 * Makes the tool calls of a generated session: the call, its result, and the copy that the client
 * keeps for its screen (`toolUseResult`) in each tool's shape.
 *
 * @module
 */

import { Deck, Quantiles } from "./random.ts";
import type { Era, Json, JsonObject, SessionState } from "./state.ts";
import type { TextKind } from "./text.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly content: Json;
  /** The copy for the client's screen; undefined if the client wrote no copy. */
  readonly mirror: Json | undefined;
  readonly failed: boolean;
  readonly kind: TextKind;
  readonly imageTokens: number;
  /** Whether a file was edited, for file-history snapshots. */
  readonly edited: boolean;
  /** The prompt of a subagent; empty for other tools. */
  readonly agentPrompt: string;
}

type ToolName = keyof typeof CALLS_OF_200;
type Outcome = "plain" | "error" | "empty" | "moved";

/** Calls of each tool among 200 calls, as counted in real sessions. */
const CALLS_OF_200 = {
  Bash: 76,
  Read: 42,
  Edit: 37,
  Grep: 15,
  TodoWrite: 7,
  Write: 6,
  TaskUpdate: 4,
  Task: 4,
  Glob: 3,
  mcp__tracker__get_issue: 2,
  WebSearch: 1,
  WebFetch: 1,
  ToolSearch: 1,
  ReadImage: 1,
} as const;

/** Quantiles of result lengths in characters, by tool; measured in real sessions. */
const RESULT_CHARS = {
  Bash: [[0, 2], [0.1, 45], [0.5, 310], [0.9, 2_200], [0.99, 15_000], [1, 30_000]],
  Read: [[0, 60], [0.1, 650], [0.5, 2_600], [0.9, 11_000], [0.98, 42_000], [1, 84_000]],
  Grep: [[0, 16], [0.1, 60], [0.5, 640], [0.9, 5_500], [0.99, 14_000], [1, 20_000]],
  Glob: [[0, 14], [0.5, 130], [0.9, 1_900], [1, 11_000]],
  Task: [[0, 400], [0.5, 2_900], [0.9, 12_000], [1, 19_000]],
  Web: [[0, 300], [0.5, 1_800], [0.9, 3_400], [1, 5_200]],
} as const;

/** Lengths of edited files in characters. The screen copy of an edit contains the whole earlier file. */
const FILE_CHARS = [
  ...[[0, 400], [0.1, 2_600], [0.5, 9_600], [0.9, 33_000], [0.99, 80_000], [1, 250_000]] as const,
];

export class Tools {
  readonly #state: SessionState;
  readonly #decks: { readonly [K in Era]: Deck<ToolName> };
  readonly #chars: { readonly [K in keyof typeof RESULT_CHARS]: Quantiles };
  readonly #fileChars: Quantiles;
  readonly #outcome: Deck<Outcome>;
  readonly #makers: { readonly [K in ToolName]: () => ToolCall } = {
    Bash: () => this.#bash(),
    Read: () => this.#read(),
    Edit: () => this.#edit(),
    Write: () => this.#write(),
    Grep: () => this.#grep(),
    Glob: () => this.#glob(),
    TodoWrite: () => this.#todo(),
    TaskUpdate: () => this.#taskUpdate(),
    Task: () => this.#task(),
    ReadImage: () => this.#readImage(),
    ToolSearch: () => this.#toolSearch(),
    WebSearch: () => this.#webSearch(),
    WebFetch: () => this.#webFetch(),
    mcp__tracker__get_issue: () => this.#issue(),
  };

  constructor(state: SessionState) {
    const { random } = state;
    this.#state = state;
    const names = Object.entries(CALLS_OF_200).flatMap(([name, count]) =>
      Array<ToolName>(count).fill(name as ToolName)
    );
    // Each era has its own deck, so that each has the proportions of all tools.
    this.#decks = { old: new Deck(random, names), new: new Deck(random, names) };
    this.#chars = {
      Bash: new Quantiles(random, RESULT_CHARS.Bash),
      Read: new Quantiles(random, RESULT_CHARS.Read),
      Grep: new Quantiles(random, RESULT_CHARS.Grep),
      Glob: new Quantiles(random, RESULT_CHARS.Glob),
      Task: new Quantiles(random, RESULT_CHARS.Task),
      Web: new Quantiles(random, RESULT_CHARS.Web),
    };
    this.#fileChars = new Quantiles(random, FILE_CHARS);
    this.#outcome = new Deck(random, [
      ...Array<Outcome>(92).fill("plain"),
      ...Array<Outcome>(5).fill("error"),
      ...["empty", "empty", "moved"] as const,
    ]);
  }

  next(): ToolCall {
    return this.#makers[this.#decks[this.#state.era].deal()]();
  }

  /** Deals a call of a subagent, which cannot start subagents. */
  nextOfAgent(): ToolCall {
    return this.#state.random.chance(0.6) ? this.#read() : this.#bash();
  }

  #bash(): ToolCall {
    const { random, texts, era } = this.#state;
    const input = {
      command: texts.line("code", random.logBetween(25, 900)),
      description: texts.title(),
    };
    const outcome = this.#outcome.deal();
    const chars = outcome === "empty" ? 0 : this.#chars.Bash.next();
    const stdout = texts.cut("output", chars);
    if (outcome === "error") {
      return call("Bash", input, `Exit code 1\n${stdout}`, `Error: Exit code 1\n${stdout}`, {
        failed: true,
      });
    }
    const shared = { stderr: "", interrupted: false, isImage: false };
    const extra = era === "new" ? { noOutputExpected: false } : {};
    if (outcome !== "moved") {
      return call("Bash", input, stdout, { stdout, ...shared, ...extra });
    }
    const whole = texts.cut("output", 30_000);
    const file = `${this.#state.cwd}/tool-results/${random.word().toString(36)}.txt`;
    const preview = `<persisted-output>\nMoved to: ${file}\n${
      whole.slice(0, 2_000)
    }\n</persisted-output>`;
    return call("Bash", input, preview, {
      stdout: whole,
      ...shared,
      ...extra,
      persistedOutputPath: file,
      persistedOutputSize: random.between(32_000, 400_000),
    });
  }

  #read(): ToolCall {
    const { random, texts, era } = this.#state;
    const path = texts.path(this.#state.cwd);
    const start = random.chance(0.4) ? random.between(2, 900) : 1;
    const input: JsonObject = start === 1
      ? { file_path: path }
      : { file_path: path, offset: start, limit: random.between(20, 400) };
    if (this.#outcome.deal() === "error") {
      const text = `No such file: ${path}`;
      return call("Read", input, text, `Error: ${text}`, { failed: true });
    }
    // Leaves room for the line numbers, which lengthen the text that the model receives.
    const content = texts.cut("code", Math.ceil(this.#chars.Read.next() * 0.84));
    const lines = content.split("\n");
    const number = era === "old"
      ? (line: string, index: number) => `${String(start + index).padStart(6)}→${line}`
      : (line: string, index: number) => `${start + index}\t${line}`;
    // Clients of both eras append such notes to many results.
    const note = random.chance(0.6)
      ? "\n\n<system-reminder>\nThis text was generated; there is nothing to act on.\n</system-reminder>\n"
      : "";
    return call("Read", input, lines.map(number).join("\n") + note, {
      type: "text",
      file: {
        filePath: path,
        content,
        numLines: lines.length,
        startLine: start,
        totalLines: start + lines.length + random.between(0, 300),
      },
    }, { kind: "code" });
  }

  #readImage(): ToolCall {
    const { random, texts, cwd } = this.#state;
    const data = texts.base64(random.logBetween(6_000, 60_000), "iVBORw0KGgoAAAANSUhEUgAA");
    const dimensions = { originalWidth: 640, originalHeight: 480, displayWidth: 640 };
    return call("Read", { file_path: `${cwd}/docs/picture_${random.between(1, 99)}.png` }, [
      { type: "image", source: { type: "base64", data, media_type: "image/png" } },
    ], {
      type: "image",
      file: {
        base64: data,
        type: "image/png",
        originalSize: (data.length * 3) >> 2,
        dimensions: { ...dimensions, displayHeight: 480 },
      },
    }, { imageTokens: Math.ceil((640 * 480) / 750) });
  }

  #edit(): ToolCall {
    const { random, texts } = this.#state;
    const file = this.#state.file(() => this.#fileChars.next());
    const original = texts.cut("code", file.chars);
    const length = Math.min(random.logBetween(60, 2_400), original.length);
    const from = random.between(0, original.length - length);
    const oldString = original.slice(from, from + length).toWellFormed();
    const newString = texts.cut("code", Math.ceil(length * (0.7 + random.fraction())));
    const input = {
      replace_all: false,
      file_path: file.path,
      old_string: oldString,
      new_string: newString,
    };
    if (this.#outcome.deal() === "error") {
      const text = `The text to replace is not in ${file.path}:\n${oldString}`;
      return call("Edit", input, text, `Error: ${text}`, { failed: true, kind: "code" });
    }
    file.version++;
    const snippet = random.chance(0.25) ? `\n${newString}` : "";
    return call(
      "Edit",
      input,
      `Changed ${file.path} in one place; the file on disk has the new text now.${snippet}`,
      {
        filePath: file.path,
        oldString,
        newString,
        originalFile: original,
        structuredPatch: patch(oldString, newString, random.between(1, 500)),
        userModified: false,
        replaceAll: false,
      },
      { kind: "code", edited: true },
    );
  }

  #write(): ToolCall {
    const { random, texts } = this.#state;
    const file = this.#state.file(() => this.#fileChars.next());
    const isNew = file.version === 0;
    file.version++;
    const content = texts.cut("code", random.logBetween(700, 16_000));
    const input = { file_path: file.path, content };
    if (isNew) {
      return call("Write", input, `Created ${file.path}.`, {
        type: "create",
        filePath: file.path,
        content,
        structuredPatch: [],
        originalFile: null,
      }, { kind: "code", edited: true });
    }
    const original = texts.cut("code", file.chars);
    return call(
      "Write",
      input,
      `Replaced ${file.path}:\n${content.slice(0, 3_000)}`.toWellFormed(),
      {
        type: "update",
        filePath: file.path,
        content,
        structuredPatch: patch(original.slice(0, 900).toWellFormed(), content.slice(0, 900), 1),
        originalFile: original,
      },
      { kind: "code", edited: true },
    );
  }

  #grep(): ToolCall {
    const { random, texts, cwd } = this.#state;
    const input = {
      pattern: texts.line("prose", 24),
      path: cwd,
      output_mode: "content",
      "-n": true,
    };
    const chars = this.#chars.Grep.next();
    if (random.chance(0.1)) {
      const filenames = paths(chars, () => texts.path("."));
      const text = `Found ${filenames.length} files\n${filenames.join("\n")}`;
      const mirror = { mode: "files_with_matches", filenames, numFiles: filenames.length };
      return call("Grep", { pattern: input.pattern }, text, mirror);
    }
    const content = texts.cut("output", chars);
    const numLines = content.split("\n").length;
    const mirror = { mode: "content", numFiles: 0, filenames: [], content, numLines };
    return call("Grep", input, content, mirror);
  }

  #glob(): ToolCall {
    const { random, texts, cwd } = this.#state;
    const filenames = paths(this.#chars.Glob.next(), () => texts.path(cwd));
    return call("Glob", { pattern: "**/*.ts", path: cwd }, filenames.join("\n"), {
      filenames,
      durationMs: random.between(4, 1_400),
      numFiles: filenames.length,
      truncated: false,
    });
  }

  #todo(): ToolCall {
    const { random, texts } = this.#state;
    const todos = Array.from({ length: random.between(3, 8) }, (_, index) => ({
      content: texts.title(),
      status: index === 0 ? "in_progress" : "pending",
      activeForm: texts.title(),
    }));
    const text = "The list of todos was written. Go on with the one in progress.";
    const oldTodos = todos.map((todo) => ({ ...todo, status: "pending" }));
    return call("TodoWrite", { todos }, text, { oldTodos, newTodos: todos }, { kind: "prose" });
  }

  #taskUpdate(): ToolCall {
    const taskId = String(this.#state.random.between(1, 30));
    const input = { taskId, status: "completed" };
    return call("TaskUpdate", input, `Task ${taskId}: status`, {
      success: true,
      taskId,
      updatedFields: ["status"],
      statusChange: { from: "in_progress", to: "completed" },
    }, { kind: "prose" });
  }

  #task(): ToolCall {
    const { random, texts, era } = this.#state;
    const prompt = texts.cut("prose", random.logBetween(700, 3_000));
    const agentId = random.word().toString(16).padStart(8, "0");
    const block = { type: "text", text: texts.cut("prose", this.#chars.Task.next()) };
    const tail = { type: "text", text: `agentId: ${agentId} (the agent can be resumed by it)` };
    const name = era === "old" ? "Task" : "Agent";
    const input = { description: texts.title(), prompt, subagent_type: "general-purpose" };
    return call(name, input, [block, tail], {
      status: "completed",
      prompt,
      agentId,
      content: [block],
      totalDurationMs: random.between(9_000, 600_000),
      totalTokens: random.between(20_000, 90_000),
      totalToolUseCount: random.between(2, 30),
      usage: { input_tokens: 1, cache_creation_input_tokens: 563, cache_read_input_tokens: 66_582 },
    }, { kind: "prose", agentPrompt: prompt });
  }

  #toolSearch(): ToolCall {
    const content = [{ type: "tool_reference", tool_name: "Monitor" }];
    const query = "select:Monitor";
    const mirror = { matches: ["Monitor"], query, total_deferred_tools: 20 };
    return call("ToolSearch", { query, max_results: 5 }, content, mirror);
  }

  #issue(): ToolCall {
    const { random, texts } = this.#state;
    const text = texts.cut("output", random.logBetween(200, 4_000));
    const blocks = [{ type: "text", text }];
    const id = `TAB-${random.between(1, 900)}`;
    return call("mcp__tracker__get_issue", { id }, blocks, blocks);
  }

  #webSearch(): ToolCall {
    const { random, texts } = this.#state;
    const text = texts.cut("prose", this.#chars.Web.next());
    const query = texts.title();
    const mirror = { query, results: [text], durationSeconds: random.between(2, 15) };
    const content = `Results for: ${query}\n\n${text}`;
    return call("WebSearch", { query }, content, mirror, { kind: "prose" });
  }

  #webFetch(): ToolCall {
    const { random, texts } = this.#state;
    const text = texts.cut("prose", this.#chars.Web.next());
    const input = { url: "https://example.test/manual", prompt: texts.title() };
    const mirror = {
      bytes: random.between(2_000, 900_000),
      code: 200,
      codeText: "OK",
      result: text,
      durationMs: random.between(900, 20_000),
      url: input.url,
    };
    return call("WebFetch", input, text, mirror, { kind: "prose" });
  }
}

function call(
  name: string,
  input: JsonObject,
  content: Json,
  mirror: Json | undefined,
  options: Partial<Omit<ToolCall, "name" | "input" | "content" | "mirror">> = {},
): ToolCall {
  const rest = { failed: false, kind: "output", imageTokens: 0, edited: false, agentPrompt: "" };
  return { ...rest, kind: "output", ...options, name, input, content, mirror };
}

function paths(chars: number, path: () => string): string[] {
  const list: string[] = [];
  for (let length = 0; length < chars;) {
    const next = path();
    list.push(next);
    length += next.length + 1;
  }
  return list;
}

function patch(before: string, after: string, line: number): Json {
  const removed = before.split("\n").map((text) => `-${text}`);
  const added = after.split("\n").map((text) => `+${text}`);
  return [{
    oldStart: line,
    oldLines: removed.length,
    newStart: line,
    newLines: added.length,
    lines: [...removed, ...added],
  }];
}
