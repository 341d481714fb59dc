// Checks when the message about a trim is logged, with timers that the test runs. tests/e2e/inside_test.ts
// checks the message's position in the transcript.

import { assertEquals } from "@std/assert";
import {
  isBoundaryPending,
  logAfterBoundary,
  settlePending,
} from "../../src/inside/after_boundary.ts";
import type { Client } from "../../src/inside/client.ts";

const BOUNDARY = '{"type":"system","subtype":"compact_boundary"}\n';

/** Makes a client with one transcript, a log, and timers that run on `tick()`. */
function newSession(): {
  client: Client;
  logged: string[];
  /** Messages whose boundary the client did not write. */
  dropped: string[];
  log(text: string, from?: number): void;
  add(text: string): void;
  tick(): Promise<void>;
} {
  const logged: string[] = [];
  const dropped: string[] = [];
  const timers: (() => unknown)[] = [];
  let file = new TextEncoder().encode("before\n" + BOUNDARY);
  const client = {
    ui: { log: (text: string) => logged.push(text) },
    clock: { after: (_: number, run: () => unknown) => timers.push(run) },
    fs: {
      stat: () => Promise.resolve({ size: file.length }),
      read: (_: string, { offset, length }: { offset: number; length: number }) =>
        Promise.resolve({ base64: file.slice(offset, offset + length).toBase64() }),
    },
  } as unknown as Client;
  return {
    client,
    logged,
    dropped,
    log: (text, from = FROM) => {
      const onDropped = () => dropped.push(text);
      logAfterBoundary(client, { text, path: "t", from, onDropped });
    },
    add: (text) => file = new Uint8Array([...file, ...new TextEncoder().encode(text)]),
    tick: async () => void await Promise.all(timers.splice(0).map((run) => run())),
  };
}

const FROM = 7 + BOUNDARY.length;

Deno.test("logAfterBoundary() waits for a new boundary", async () => {
  const { logged, log, add, tick } = newSession();
  assertEquals(isBoundaryPending(), false);
  log("trimmed");
  await tick();
  assertEquals(isBoundaryPending(), true);
  add("a row\n");
  await tick();
  assertEquals(logged, []);
  add(BOUNDARY.slice(0, 20));
  await tick();
  add(BOUNDARY.slice(20));
  await tick();
  await tick();
  assertEquals(logged, ["trimmed"]);
  assertEquals(isBoundaryPending(), false);
});

Deno.test("logAfterBoundary() drops the message if the client writes no boundary in time", async () => {
  const { logged, dropped, log, add, tick } = newSession();
  log("undone");
  for (let checks = 0; checks <= 1_201; checks++) await tick();
  add(BOUNDARY);
  await tick();
  assertEquals([logged, dropped], [[], ["undone"]]);
  log("trimmed", FROM + BOUNDARY.length);
  add(BOUNDARY);
  await tick();
  assertEquals([logged, dropped], [["trimmed"], ["undone"]]);
});

Deno.test("settlePending() logs a message whose boundary is written, and drops a message without a boundary", async () => {
  const { client, logged, dropped, log, add, tick } = newSession();
  log("first");
  add(BOUNDARY);
  await settlePending(client);
  log("second", FROM + BOUNDARY.length);
  await settlePending(client);
  add(BOUNDARY);
  await tick();
  await settlePending(client);
  assertEquals([logged, dropped], [["first"], ["second"]]);
});
