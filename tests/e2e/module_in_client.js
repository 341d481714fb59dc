// `claude plugin test` runs this file in the client's own engine, without a session.
// tests/e2e/module_test.ts puts it into a plugin as `module.test.ts`, after the import of `test`
// and `expect`. A function that `answerCalls()` does not answer counts as missing, as in a release
// that lacks it.

const ID = "7f3a1b2c-0000-4000-8000-000000000000";
const PATH = `/config/projects/p/${ID}.jsonl`;
const COUNT = 12;

/** Longer than one read of the transcript, with characters of two bytes. */
const LONG = "\u00e4".repeat(3 * 1024 * 1024);

function blocksOf(content) {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function conversation() {
  const rows = [];
  const messages = [];
  const lines = [];
  const add = (uuid, row, content) => {
    rows.push({ text: "", toolUses: [], ...row, handle: uuid });
    const message = { role: row.role, content };
    messages.push({ role: row.role, content: blocksOf(content) });
    if (row.role === "assistant") message.usage = { input_tokens: 150_000, output_tokens: 1 };
    lines.push(JSON.stringify({ type: row.role, uuid, parentUuid: null, sessionId: ID, message }));
  };
  add("p", { role: "user", text: "Build all." }, "Build all.");
  for (let at = 0; at < COUNT; at++) {
    const [id, input, text] = [
      `toolu_${at}`,
      { command: `make ${at}` },
      `line ${at}\n`.repeat(5_000),
    ];
    const call = { type: "tool_use", id, name: "Bash", input };
    add(`a${at}`, { role: "assistant", toolUses: [{ tool_use_id: id, tool: "Bash", input }] }, [
      call,
    ]);
    const toolResults = [{ tool_use_id: id, text, isError: false, result: text }];
    const result = { type: "tool_result", tool_use_id: id, content: text };
    add(`b${at}`, { role: "user", toolResults }, [result]);
  }
  return { rows, messages, file: new TextEncoder().encode(lines.join("\n") + "\n") };
}

/** Answers all calls of the module, except to functions in `missing`. Returns the written files by path. */
function answerCalls(on, { rows, messages = [], file }, missing = []) {
  const written = new Map();
  const answers = {
    "session.id": () => ID,
    "session.root": () => "/project",
    "session.model": () => "claude-sonnet-5",
    "session.surfaces": () => ["terminal"],
    "session.info": () => ({ transcriptPath: PATH }),
    "session.messages": ({ as }) => as === "api" ? messages : rows,
    "session.usage": () => ({
      context: {
        tokens: 150_000,
        window: 200_000,
        breakdown: { rawMaxTokens: 200_000, autoCompactThreshold: 167_000, categories: [] },
      },
    }),
    "session.append": () => ({}),
    "env.get": () => undefined,
    "env.set": () => ({}),
    "process.hookEnv": () => ({}),
    "fs.exists": ({ path }) => path === PATH || written.has(path),
    "fs.stat": () => ({ size: file.length, mtimeMs: 0, kind: "file", isLink: false }),
    "fs.write": ({ path, text }) => void written.set(path, text),
    "fs.read": ({ path, as, offset = 0, length = file.length }) => {
      if (path !== PATH) throw new Error("no such file");
      const bytes = file.slice(offset, offset + length);
      return as === "text" ? new TextDecoder().decode(bytes) : { base64: bytes.toBase64(), path };
    },
    "ui.log": () => undefined,
    "ui.status": () => undefined,
    "clock.now": () => 1_000,
    "clock.after": () => undefined,
  };
  for (const [name, answer] of Object.entries(answers)) {
    if (!missing.includes(name)) on(name, (_client, event) => ({ value: answer(event ?? {}) }));
  }
  on("session.compact", () => ({ skip: "the client's own" }));
  return written;
}

test(
  "an automatic compaction becomes a trim that changes only results",
  async ($, on) => {
    const { rows, messages: sent, file } = conversation();
    answerCalls(on, { rows, messages: sent, file });
    const { messages = [], skip } = await $.session.compact({ trigger: "auto", messages: rows });
    expect(skip).toBe(undefined);
    const wordsOf = (all) =>
      all.flatMap(({ text, toolUses }) => [text, ...toolUses.map(({ input }) => input)])
        .filter((word) => word !== "");
    expect(JSON.stringify(wordsOf(messages)) === JSON.stringify(wordsOf(rows))).toBe(true);
    const results = messages.flatMap(({ toolResults = [] }) => toolResults);
    expect(results.length).toBe(COUNT);
    expect(results.filter(({ text }) => text.includes("for full content")).length > 0).toBe(true);
  },
);

test(
  "a precomputed summary is skipped, and the client handles compactions by a person or a subagent",
  async ($, on) => {
    const { rows, messages, file } = conversation();
    answerCalls(on, { rows, messages, file });
    const reply = await $.session.compact({ trigger: "precompute", messages: rows });
    expect(reply.skip).toBe("trimtab trims in place instead");
    for (const more of [{ trigger: "manual" }, { trigger: "auto", agentId: "agent-1" }]) {
      expect((await $.session.compact({ ...more, messages: rows })).skip).toBe("the client's own");
    }
  },
);

test("characters that span two reads of the transcript stay whole", async ($, on) => {
  const result = { type: "tool_result", tool_use_id: "long", content: LONG };
  const message = { role: "user", content: [result] };
  const line = JSON.stringify({ type: "user", parentUuid: null, sessionId: ID, message });
  const text = `See line 1 of ${ID.slice(0, 8)} for full content]`;
  const toolResults = [{ tool_use_id: "long", text, isError: false, result: text }];
  const rows = [{ role: "user", text: "", toolUses: [], toolResults }];
  answerCalls(on, { rows, file: new TextEncoder().encode(line) });
  on("fs.list", () => ({ value: [{ name: `${ID}.jsonl`, kind: "file", isLink: false }] }));
  on("tool.check", () => ({ decision: "allow" }));
  const answer = await $.tool.call({
    tool: "mcp__trimtab__recall",
    session: ID.slice(0, 8),
    line: 1,
    from: LONG.length - 10,
  });
  expect(answer.result).toBe("\u00e4".repeat(10));
});

for (
  const lacks of [
    ["session.usage"],
    ["session.info"],
    ["session.id"],
    ["session.messages"],
    ["fs.stat", "fs.read"],
    ["fs.exists", "fs.write"],
    ["clock.now"],
    ["ui.log", "ui.status"],
  ]
) {
  test(
    `without ${lacks.join(" and ")} a compaction and /trim still come to an end`,
    async ($, on) => {
      const { rows, messages, file } = conversation();
      answerCalls(on, { rows, messages, file }, lacks);
      on("command.run", () => ({ text: "the skill" }));
      const answer = await $.session.compact({ trigger: "auto", messages: rows });
      expect(answer.skip === "the client's own" || answer.messages.length > 0).toBe(true);
      const { text } = await $.command.run({ command: "trimtab:trim", args: "" });
      expect(["the skill", "Trimming in place"].includes(text)).toBe(true);
    },
  );
}
