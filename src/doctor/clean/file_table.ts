/** The files that trimtab writes in a project. `clean` deletes them, and the reference describes them. */

import { CHECKPOINT_ID, CLAIM_SUFFIX, SNAPSHOT_ID } from "../../saved/store.ts";
import { TEMPORARY_PREFIX } from "../../store/atomic.ts";
import { UUID_PATTERN } from "../../core/uuid.ts";

export type OwnKind =
  | "checkpoint"
  | "snapshot"
  | "lineage"
  | "blackboard"
  | "events"
  | "state"
  | "handoff"
  | "output"
  | "report"
  | "mark"
  | "transcript"
  | "temporary"
  | "housekeeping";

export interface FileSpec {
  /** Path relative to the project's `.claude`. */
  readonly folder: string;
  readonly name: RegExp;
  readonly shown: string;
  readonly kind: OwnKind;
}

/** Matches temporary files, which remain if a process is killed while it writes. */
export const TEMPORARY_NAME: RegExp = new RegExp(
  `^${RegExp.escape(TEMPORARY_PREFIX)}[0-9a-f-]{36}$`,
);

export const KEPT_NAME: RegExp = new RegExp(`^${UUID_PATTERN}\\.jsonl$`);

/** Matches lock files in any of trimtab's folders, such as `.lock` and `.index.lock.held`. */
export const LOCK_NAME = /^\.(?:[a-z]+\.)?lock(?:\.held)?$/;

export const SPILL_FOLDER = "trimtab/spill";

const PATTERNS: Readonly<Record<string, string>> = {
  "YYYY-MM-DD-HHMMSS": CHECKPOINT_ID,
  "YYYYMMDD_HHMMSS": SNAPSHOT_ID,
  "YYYY-MM-DDTHHMMSS.SSSZ": String.raw`\d{4}-\d{2}-\d{2}T\d{6}\.\d{3}Z`,
  "<session id>": UUID_PATTERN,
  "<parent session id>": UUID_PATTERN,
  ".": String.raw`\.`,
};

const PART = new RegExp(Object.keys(PATTERNS).map(RegExp.escape).join("|"), "g");

/** `alsoNamed` matches names that the reference does not list. */
function fileSpec(kind: OwnKind, folder: string, shown: string, alsoNamed = ""): FileSpec {
  const names = shown.split(", ").map((name) =>
    name.replaceAll(PART, (part) => PATTERNS[part] ?? "")
  );
  const all = [...names, alsoNamed].filter((name) => name !== "" && !name.startsWith("*"));
  const name = new RegExp(`^(?:${all.join("|")})$`, shown.includes("<") ? "i" : "");
  return { folder, name, shown, kind };
}

/**
 * All files that trimtab writes in a project, except {@linkcode SPILL_FILE}. Folders that are not listed belong
 * to other programs.
 */
export const OWN_FILES: readonly FileSpec[] = [
  fileSpec("checkpoint", "checkpoints", "YYYY-MM-DD-HHMMSS.md"),
  fileSpec("checkpoint", "checkpoints", "YYYY-MM-DD-HHMMSS.json"),
  fileSpec("snapshot", "runtime/context-snapshots", "YYYYMMDD_HHMMSS.json"),
  fileSpec("lineage", "trimtab", "sessions.json"),
  fileSpec("lineage", "trimtab", "sessions.damaged-YYYY-MM-DDTHHMMSS.SSSZ.json"),
  fileSpec("blackboard", "trimtab", "blackboard.jsonl, blackboard.1.jsonl"),
  fileSpec("events", "trimtab", "events.jsonl, events.1.jsonl"),
  fileSpec("events", "trimtab", "live.jsonl, live.1.jsonl"),
  fileSpec("state", "trimtab", "iteration"),
  fileSpec("state", "trimtab", "left.json"),
  fileSpec(
    "housekeeping",
    "trimtab",
    "*.lock",
    String
      .raw`(?:blackboard\.jsonl|events\.jsonl|live\.jsonl|iteration|watch)\.lock(?:\.held)?|watch\.json`,
  ),
  fileSpec("state", "trimtab/state", "<session id>.json"),
  fileSpec("state", "trimtab/state", "<session id>.inside.json"),
  fileSpec(
    "handoff",
    "trimtab/handoffs",
    "<parent session id>.json",
    String.raw`${UUID_PATTERN}${CLAIM_SUFFIX}\.json`,
  ),
  fileSpec("handoff", "trimtab/handoffs", "<parent session id>.md"),
  fileSpec(
    "mark",
    "trimtab/marks",
    "<parent session id>.handoff, YYYY-MM-DD-HHMMSS.md, YYYY-MM-DD-HHMMSS.json, YYYYMMDD_HHMMSS.json, work.toml, project.toml",
  ),
  fileSpec("report", "trimtab/reports", "<session id>.html", String.raw`(?:project|session)\.html`),
];

export const SPILL_FILE: FileSpec = {
  folder: SPILL_FOLDER,
  name: /^[^.]/,
  shown: "<session id>/*",
  kind: "output",
};
