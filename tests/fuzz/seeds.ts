/**
 * Provides the inputs that mutations change: parts of sessions, and examples of other files and payloads
 * that trimtab reads.
 */

import { snapshotOf } from "../../src/saved/save.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { sampleState, viewOf } from "../saved/checkpoints.ts";
import { handoffSave } from "../saved/lineage/sessions.ts";
import { NOW } from "../saved/snapshots.ts";
import { byteText } from "./bytes.ts";
import type { Random } from "./random.ts";
import { EXTRA_LINES, SESSION } from "./seed_lines.ts";

const MAX_SEED_BYTES = 400_000;

/** Longer strings are cut, so that cases stay small. */
const MAX_STRING_CHARS = 140;

/** Higher for results and contents, so that a trim can cut them. */
const MAX_TRIMMED_CHARS = 560;

const TRIMMED_KEYS = new Set(["content", "stdout", "file_text"]);
const MAX_LIST_ITEMS = 8;
const MAX_WINDOW_LINES = 9;

/** Ships with the project; used alone if there are no real sessions. */
const DEMO = new URL(
  "../fixtures/demo/c6a36628-8838-4dae-be63-2724adaa9731.jsonl",
  import.meta.url,
);

/** Each session is a list of lines with one character per byte. */
export interface Seeds {
  readonly sessions: readonly (readonly string[])[];
}

export function loadSeeds(): Seeds {
  const paths: (string | URL)[] = [DEMO, ...sessionFiles.map((name) => `${CORPUS}/${name}`)];
  return { sessions: paths.map(seedLines).filter((lines) => lines.length > 0) };
}

export function sessionPart({ sessions }: Seeds, random: Random): string[] {
  const lines = random.pick(sessions);
  const count = 1 + random.below(MAX_WINDOW_LINES);
  const start = random.below(Math.max(1, lines.length - count));
  const part = lines.slice(start, start + count);
  while (random.chance(40)) {
    part.splice(random.below(part.length + 1), 0, random.pick(EXTRA_LINES));
  }
  return part;
}

function seedLines(path: string | URL): string[] {
  const bytes = Deno.readFileSync(path).subarray(0, MAX_SEED_BYTES);
  const lines = new TextDecoder().decode(bytes).split("\n");
  // The last line is cut or empty.
  return lines.slice(0, -1).flatMap((line) => {
    try {
      return [byteText(JSON.stringify(shorten(JSON.parse(line))))];
    } catch {
      return [];
    }
  });
}

function shorten(value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    const chars = TRIMMED_KEYS.has(name) ? MAX_TRIMMED_CHARS : MAX_STRING_CHARS;
    return value.slice(0, chars).toWellFormed();
  }
  if (Array.isArray(value)) {
    return value.slice(0, MAX_LIST_ITEMS).map((item) => shorten(item, name));
  }
  if (typeof value !== "object" || value === null) return value;
  const shortened = Object.entries(value).map(([key, inner]) => [key, shorten(inner, key)]);
  return Object.fromEntries(shortened);
}

export const CHECKPOINT_SEED: string = byteText(viewOf(sampleState()));

export const SNAPSHOT_SEED: string = byteText(
  JSON.stringify(snapshotOf(sampleState(), { name: "one", now: NOW }), null, 2),
);

export const SETTINGS_SEED: string = byteText(`{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [{ "matcher": "", "hooks": [{ "type": "command", "command": "echo hi" }] }],
    /* none */ "PreCompact": [],
  },
  "statusLine": { "type": "command", "command": "mine" }
}
`);

export const CONFIG_SEED = `# trimtab
[context]
warn_threshold = 50
recommend_threshold = 70
urgent_threshold = 90
trim_target_tools = ["Read", "Bash"]
window_tokens = 200000
restore_on = ["compact", "clear"]
retention_days = 14

[live]
`;

export const TASK_SEEDS = {
  json: JSON.stringify({
    tasks: [
      { id: "1", description: "refactor the parser", files: ["a.ts", "b.ts"], depends_on: [] },
      { id: "2", description: "implement login", estimated_files: 40, depends_on: ["1"] },
      { id: "3", description: "fix it all", no_split: true, depends_on: ["1", "2"] },
    ],
  }),
  toml: '[[tasks]]\nid = "a"\ndescription = "update docs"\nfiles = ["x.md", "y.md"]\n\n' +
    '[[tasks]]\nid = "b"\ndescription = "add tests"\nestimated_files = 90\ndepends_on = ["a"]\n',
};

const OPEN = { ended_at: null, end_reason: null, context_at_end: null, summary: null };
const ENDED = {
  ...{ ended_at: "2026-03-01T11:00:00.000Z", end_reason: "rollover", context_at_end: 71 },
  summary: "### Current Task\n- one",
};

export const LINEAGE_SEED: string = JSON.stringify({
  version: 1,
  sessions: [1, 2, 3].map((id) => ({
    ...{ id, worker_id: id === 3 ? "other" : "main", session_number: id },
    session_id: id === 2 ? SESSION : `c93516cb-0000-4000-8000-00000000000${id}`,
    parent_session_id: id === 1 ? null : SESSION,
    started_at: "2026-03-01T10:00:00.000Z",
    ...(id === 3 ? OPEN : ENDED),
    transcript: null,
  })),
});

export function payloadSeed(place: { project: string; transcript: string }): object {
  const client = { prompt_id: "3a628e37", permission_mode: "default" };
  return { session_id: SESSION, transcript_path: place.transcript, cwd: place.project, ...client };
}

export const STATUS_SEED: object = {
  model: { id: "claude-haiku-4-5", display_name: "Haiku 4.5" },
  workspace: { current_dir: "/p", project_dir: "/p" },
  cost: { total_cost_usd: 0.1 },
  context_window: {
    ...{ total_input_tokens: 120_000, context_window_size: 200_000 },
    ...{ current_usage: { input_tokens: 10 }, used_percentage: 60, remaining_percentage: 40 },
  },
};

const CHECKPOINT = { id: "2026-03-01-120000", created: "2026-03-01T12:00:00Z" };

export const STATE_SEED: string = JSON.stringify({
  window_tokens: 200_000,
  window_seen_at: "2026-03-01T10:00:00.000Z",
  usage_tokens: 130_000,
  last_checkpoint: { ...CHECKPOINT, transcript_bytes: 9 },
  active_since: "2026-03-01T10:00:00.000Z",
  last_active_at: "2026-03-01T10:30:00.000Z",
  notices: ["config"],
});

export const INDEX_SEED: string = JSON.stringify({
  version: "1.0",
  checkpoints: [{
    ...CHECKPOINT,
    path: "/p/.claude/checkpoints/2026-03-01-120000.md",
    ...{ project: "/p", session_id: SESSION, trigger: "auto" },
    ...{ iteration: 3, verified: true, summary: "one" },
  }],
  last_updated: "2026-03-01T12:00:00Z",
});

export const BOARD_SEED: readonly string[] = [SESSION, null, "other"].map((session_id, n) =>
  JSON.stringify({
    ...{ id: `m${n}`, type: "checkpoint_trigger", reason: "checkpoint_stale", percent: 77 },
    ...{ session_id, timestamp: NOW.toISOString(), mark: "0".repeat(64) },
  })
);

export const HANDOFF_SEED: string = byteText(
  JSON.stringify(handoffSave(SESSION, { created: NOW, issue: "the login", title: "one" })),
);

export const PLANNING_SEED = `# State

Phase: 16 of 20 (Context Compaction)
Current Phase: 16
Plan: 16-03
Status: in progress
- [ ] **Phase 16: Context Compaction** - shrink`;
