/** A message on a project's blackboard reaches its session, once. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { main as postToolBatch } from "../../hooks/post_tool_batch.ts";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { contextOf, START_MS, withBed } from "./bed.ts";
import "../own_config.ts";

const OTHER = "7c3a1a52-7d3a-4a52-9a3e-6f1c5d1b2a11";

Deno.test("PostToolBatch delivers a session's messages once, and to no other session", () =>
  withBed(async (bed) => {
    bed.cost(20_000);
    assertEquals(await bed.run(postToolBatch), "");
    const now = new Date(START_MS);
    const { projectDir, sessionId } = bed;
    triggerCheckpoint("context_60_percent", { projectDir, sessionId, percent: 63, now });
    bed.second = 1;
    assertEquals(await bed.run(postToolBatch, bed.payload({ session_id: OTHER })), "");
    const delivered = contextOf(await bed.run(postToolBatch));
    assertStringIncludes(delivered, "Run /save-checkpoint now: the context is at 63%.");
    assertEquals(await bed.run(postToolBatch), "");
  }));
