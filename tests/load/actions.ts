/**
 * The actions of the crowd test: every hook, and the commands that several people may run in one project at
 * once. Each starts as the client or a user would start it, with exactly its permissions.
 */

import type { ChildResult } from "../../tools/child.ts";
import { encode } from "../hooks/bed.ts";
import { PAYLOADS } from "../hooks/payloads.ts";
import type { Place } from "../faults/place.ts";
import { SUMMARY } from "../saved/lineage/sessions.ts";

export interface Call {
  readonly place: Place;
  readonly session: string;
  readonly transcript: string;
  readonly freshId: string;
}

/** A write that an action reported. The test checks at its end that the written data is still there. */
export interface ReportedWrite {
  readonly kind: "checkpoint" | "snapshot" | "copy" | "handoff" | "session" | "post";
  /** A path or an id. */
  readonly what: string;
  readonly number?: number;
}

type Json = Readonly<Record<string, unknown>>;

export interface Action {
  readonly script: string;
  readonly args?: (call: Call) => string[];
  readonly stdin?: (call: Call) => Uint8Array | string;
  readonly reportedWrites?: (call: Call, json: Json) => ReportedWrite[];
}

/** A test script that posts a checkpoint request and writes an event through the library. */
export const POST_SCRIPT = "tests/load/post_child.ts";

const HOOKS: readonly Action[] = [
  ...Object.entries(PAYLOADS).map(([name, fields]) => hook(name, fields.at(-1) ?? {})),
  {
    script: "hooks/session_start.ts",
    stdin: (call) => payload(call, { session_id: call.freshId, source: "startup" }),
    reportedWrites: ({ freshId }) => [{ kind: "session", what: freshId }],
  },
];

const COMMANDS: readonly Action[] = [
  {
    script: "scripts/trim.ts",
    args: ({ transcript }) => [transcript, "--keep-recent", "0", "--json"],
    reportedWrites: (_, json) => [{ kind: "copy", what: String(json["output"]) }],
  },
  {
    script: "scripts/checkpoint.ts",
    args: ({ transcript }) => [transcript, "--json"],
    reportedWrites: (_, { path, iteration }) => [
      { kind: "checkpoint", what: String(path), number: Number(iteration) },
    ],
  },
  {
    script: "scripts/snapshot.ts",
    args: ({ transcript }) => [transcript, "--name", "load", "--json"],
    reportedWrites: (_, json) => [{ kind: "snapshot", what: String(json["file_path"]) }],
  },
  {
    script: "scripts/rollover.ts",
    args: ({ transcript }) => [transcript, "--summary", SUMMARY, "--json"],
    reportedWrites: (_, { prompt_file, session_number }) => [
      { kind: "handoff", what: String(prompt_file), number: Number(session_number) },
    ],
  },
  {
    script: POST_SCRIPT,
    args: ({ place, freshId }) => [place.projectDir, freshId],
    reportedWrites: ({ freshId }) => [{ kind: "post", what: freshId }],
  },
  // Of the commands that only read, these read what others write at the same time.
  command("status", ({ transcript }) => [transcript, "--json"]),
  ...["restore", "list", "sessions"].map((name) => command(name, () => ["--json"])),
  command("watch", () => ["--once", "--json"]),
  command("clean", () => ["--apply", "--json"]),
];

export const ACTIONS: readonly Action[] = [...HOOKS, ...COMMANDS];

/** Matches the message of a command that stopped without writing because of another process. */
const BUSY = /another process holds|could not get the lock|does already|has just changed/;

/** Returns "done", "busy" if another process prevented a command, or a description of the problem. */
export function verdictOf(action: Action, { code, stdout, stderr }: ChildResult): string {
  const isHook = action.script.startsWith("hooks/");
  if (code === 0) return stderr === "" ? "done" : `it wrote to stderr: ${stderr}`;
  if (!isHook && code === 1 && BUSY.test(stderr)) return "busy";
  return `it ended with ${code}: ${stderr}${stdout}`.slice(0, 500);
}

function command(name: string, args: (call: Call) => string[]): Action {
  return { script: `scripts/${name}.ts`, args };
}

function hook(name: string, fields: Record<string, unknown>): Action {
  return { script: `hooks/${name}.ts`, stdin: (call) => payload(call, fields) };
}

function payload(call: Call, fields: Record<string, unknown>): Uint8Array {
  const ids = { session_id: call.session, transcript_path: call.transcript, prompt_id: "3a628e37" };
  return encode({ ...ids, cwd: call.place.projectDir, ...fields });
}
