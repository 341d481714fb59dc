/**
 * Simulates four hours of an unattended agent, whose session is compacted twice and whose process dies four
 * times. The hooks alone must carry the agent's knowledge across each compaction.
 */

import { assert, assertEquals, assertGreater } from "@std/assert";
import { main as postToolBatch } from "../../hooks/post_tool_batch.ts";
import { main as preCompact } from "../../hooks/pre_compact.ts";
import { main as stop } from "../../hooks/stop.ts";
import { main as userPromptSubmit } from "../../hooks/user_prompt_submit.ts";
import { listCheckpoints, readableSaves } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { listSessions } from "../saved/lineage/sessions.ts";
import { type Bed, contextOf, end, SESSION, start, test } from "./bed.ts";
import "../own_config.ts";

const SESSION_MINUTES = 4 * 60;
const TURN_MINUTES = 6;
const TURN_PERCENT = 6;

/** Usage at which the client compacts. */
const FULL_PERCENT = 95;

/** Usage after a compaction. */
const COMPACTED_PERCENT = 12;

const WINDOW = 200_000;

class Agent {
  readonly #bed: Bed;
  #last: string | null = null;
  #count = 0;
  percent = 10;
  readonly facts = new Set<string>();

  constructor(bed: Bed) {
    this.#bed = bed;
    Deno.writeTextFileSync(bed.transcript, "");
  }

  #write(entry: Record<string, unknown>): void {
    const uuid = `u${++this.#count}`;
    const line = { sessionId: SESSION, parentUuid: this.#last, ...entry, uuid };
    Deno.writeTextFileSync(this.#bed.transcript, JSON.stringify(line) + "\n", { append: true });
    this.#last = uuid;
  }

  #answer(content: unknown[]): void {
    const usage = { input_tokens: Math.round(this.percent * WINDOW / 100) };
    const message = { id: `m${this.#count}`, role: "assistant", model: "claude-sonnet-4-6" };
    this.#write({ type: "assistant", message: { ...message, content, usage } });
  }

  #call(name: string, input: unknown, toolUseResult: unknown, result = "done"): void {
    const id = `t${this.#count}`;
    this.#answer([{ type: "tool_use", id, name, input }]);
    const content = [{ type: "tool_result", tool_use_id: id, content: result }];
    this.#write({ type: "user", message: { role: "user", content }, toolUseResult });
  }

  prompt(text: string): void {
    this.#write({ type: "user", message: { role: "user", content: text } });
  }

  work(turn: number): void {
    this.percent += TURN_PERCENT;
    const file = `${this.#bed.projectDir}/src/part_${turn}.ts`;
    const input = { file_path: file, content: `export const part${turn} = ${turn};\n` };
    this.#call("Write", input, { type: "create" }, "File created successfully");
    this.facts.add(`part_${turn}.ts`);
    if (turn % 8 === 0) {
      const question = `Which store for part ${turn}?`;
      const table = { label: `Table${turn}`, description: "fast" };
      const options = [table, { label: "File", description: "" }];
      const questions = [{ question, header: "Store", options, multiSelect: false }];
      const answers = { [question]: `Table${turn}` };
      this.#call("AskUserQuestion", { questions }, { questions, answers });
      this.facts.add(`Table${turn}`);
    }
    const todos = [
      { content: "Build all parts", status: "in_progress", activeForm: "" },
      { content: `Test part ${turn}`, status: "pending", activeForm: "" },
    ];
    this.#call("TodoWrite", { todos }, { oldTodos: [], newTodos: todos });
    this.#answer([{ type: "text", text: `Part ${turn} is written.` }]);
  }

  /** Compacts like the client: a boundary, and a summary that has lost the facts. */
  compact(): void {
    this.#last = null;
    const compactMetadata = { trigger: "auto" };
    this.#write({ type: "system", subtype: "compact_boundary", compactMetadata });
    const content = "This session is being continued. Parts were built.";
    this.#write({ type: "user", isCompactSummary: true, message: { role: "user", content } });
    this.percent = COMPACTED_PERCENT;
  }

  tear(): void {
    const torn = '{"type":"assistant","uuid":"torn';
    Deno.writeTextFileSync(this.#bed.transcript, torn, { append: true });
  }

  /** The client ends a torn line before it continues. */
  mend(): void {
    Deno.writeTextFileSync(this.#bed.transcript, "\n", { append: true });
  }
}

test("in an unattended session, the facts from before each compaction are still available after it", async (bed) => {
  const agent = new Agent(bed);
  await start(bed, "startup");
  agent.prompt("Build the store in parts, one file each.");
  await bed.run(userPromptSubmit);
  const totals = { compactions: 0, facts: 0, lost: 0, crashes: 0 };
  for (let minute = 0, turn = 1; minute < SESSION_MINUTES; minute += TURN_MINUTES, turn++) {
    bed.second = minute * 60;
    agent.work(turn);
    await bed.run(postToolBatch);
    if (turn % 9 === 0) {
      // The process dies within a turn, and the session is resumed 200 seconds later.
      agent.tear();
      totals.crashes++;
      bed.second += 200;
      const resumed = contextOf(await start(bed, "resume"));
      assertEquals(resumed, "", "the resumed session still has its context");
      agent.mend();
    }
    if (agent.percent >= FULL_PERCENT) {
      await bed.run(preCompact, bed.payload({ trigger: "auto" }));
      agent.compact();
      const restored = contextOf(await start(bed, "compact"));
      const [newest] = readableSaves("checkpoint", bed);
      assert(newest !== undefined);
      totals.compactions++;
      for (const fact of agent.facts) {
        totals.facts++;
        // Looks in the checkpoint, since the text for the model is bounded.
        if (!JSON.stringify(newest.save).includes(fact)) totals.lost++;
      }
      assert(restored.includes("Build the store in parts"), restored);
      assert(restored.includes(`Test part ${turn}`), restored);
      assert(restored.includes(newest.id));
    }
    await bed.run(stop);
  }
  await end(bed, "other");

  const checkpoints = listCheckpoints(bed);
  assertEquals(totals.lost, 0, JSON.stringify({ ...totals, checkpoints: checkpoints.length }));
  assertGreater(totals.compactions, 1);
  assertGreater(totals.crashes, 3);
  // Each checkpoint is valid, has its own number, and is in the index once.
  for (const { path } of checkpoints) assertEquals(verifyCheckpoint(path).problems, []);
  const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).toSorted();
  assertEquals(ids(readIndex(bed.configDir).checkpoints), ids(checkpoints));
  assertEquals(new Set(checkpoints.map(({ iteration }) => iteration)).size, checkpoints.length);
  assertEquals(new Set(checkpoints.map(({ trigger }) => trigger)), new Set(["auto", "watcher"]));
  assertEquals(listSessions(bed).map(({ session_id, end_reason }) => [session_id, end_reason]), [
    [SESSION, "exit"],
  ]);
});
