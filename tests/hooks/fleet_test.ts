import { assertEquals, assertStringIncludes } from "@std/assert";
import { main as postToolBatch } from "../../hooks/post_tool_batch.ts";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { contextOf, NEXT_SESSION, START_MS, test } from "./bed.ts";
import "../own_config.ts";

test("PostToolBatch delivers a session's messages once, and to no other session", async (bed) => {
  bed.setUsage(20_000);
  assertEquals(await bed.run(postToolBatch), "");
  const now = new Date(START_MS);
  const { projectDir, sessionId } = bed;
  triggerCheckpoint("context_60_percent", { projectDir, sessionId, percent: 63, now });
  bed.second = 1;
  assertEquals(await bed.run(postToolBatch, bed.payload({ session_id: NEXT_SESSION })), "");
  const delivered = contextOf(await bed.run(postToolBatch));
  assertStringIncludes(delivered, "Run /save-checkpoint now: the context is at 63%.");
  assertEquals(await bed.run(postToolBatch), "");
});
