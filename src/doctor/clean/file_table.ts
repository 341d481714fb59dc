/** The files that trimtab writes in a project; `clean` and the reference pages use this table. */

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
  readonly help: string;
  readonly kept: string;
}

/** Matches temporary files, which remain if a process is killed while it writes. */
export const TEMPORARY_NAME: RegExp = new RegExp(
  `^${RegExp.escape(TEMPORARY_PREFIX)}[0-9a-f-]{36}$`,
);

export const KEPT_NAME: RegExp = new RegExp(`^${UUID_PATTERN}\\.jsonl$`);

/** Matches lock files in any of trimtab's folders, such as `.lock` and `.index.lock.held`. */
export const LOCK_NAME = /^\.(?:[a-z]+\.)?lock(?:\.held)?$/;

export const SPILL_FOLDER = "trimtab/spill";

const UNTIL_CLEAN_ALL = "until `trimtab clean --all`";
const KEPT_DAYS = "`retention_days`; the newest of each session until `trimtab clean --all`";
const KEPT_STATE = "`retention_days` after its session";

const PATTERNS: Readonly<Record<string, string>> = {
  "YYYY-MM-DD-HHMMSS": CHECKPOINT_ID,
  "YYYYMMDD_HHMMSS": SNAPSHOT_ID,
  "YYYY-MM-DDTHHMMSS.SSSZ": String.raw`\d{4}-\d{2}-\d{2}T\d{6}\.\d{3}Z`,
  "<session id>": UUID_PATTERN,
  "<parent session id>": UUID_PATTERN,
  ".": String.raw`\.`,
};

const PART = new RegExp(Object.keys(PATTERNS).map(RegExp.escape).join("|"), "g");

interface Facts extends Pick<FileSpec, "help" | "kept"> {
  readonly alsoNamed?: string;
}

function fileSpec(kind: OwnKind, folder: string, shown: string, facts: Facts): FileSpec {
  const { help, kept, alsoNamed = "" } = facts;
  const names = shown.split(", ").map((name) =>
    name.replaceAll(PART, (part) => PATTERNS[part] ?? "")
  );
  const all = [...names, alsoNamed].filter((name) => name !== "" && !name.startsWith("*"));
  const name = new RegExp(`^(?:${all.join("|")})$`, shown.includes("<") ? "i" : "");
  return { folder, name, shown, kind, help, kept };
}

/**
 * All files that trimtab writes in a project, except {@linkcode SPILL_FILE}. Folders that are not listed belong
 * to other programs.
 */
export const OWN_FILES: readonly FileSpec[] = [
  fileSpec("checkpoint", "checkpoints", "YYYY-MM-DD-HHMMSS.md", {
    help: "a checkpoint as Markdown, for people to read",
    kept: KEPT_DAYS,
  }),
  fileSpec("checkpoint", "checkpoints", "YYYY-MM-DD-HHMMSS.json", {
    help: "a checkpoint in the format of `snapshots.schema.json`",
    kept: "as long as its Markdown file",
  }),
  fileSpec("snapshot", "runtime/context-snapshots", "YYYYMMDD_HHMMSS.json", {
    help: "a snapshot in the same format",
    kept: KEPT_DAYS,
  }),
  fileSpec("lineage", "trimtab", "sessions.json", {
    help: "the lineage: the parent of each session",
    kept: UNTIL_CLEAN_ALL,
  }),
  fileSpec("lineage", "trimtab", "sessions.damaged-YYYY-MM-DDTHHMMSS.SSSZ.json", {
    help: "a backup of a damaged lineage",
    kept: "the newest 10",
  }),
  fileSpec("blackboard", "trimtab", "blackboard.jsonl, blackboard.1.jsonl", {
    help: "requests to the sessions of the project",
    kept: "`retention_days`, up to 256 KB each",
  }),
  fileSpec("events", "trimtab", "events.jsonl, events.1.jsonl", {
    help: "a log of what trimtab did",
    kept: "the older file for `retention_days`, up to 1 MB each",
  }),
  fileSpec("events", "trimtab", "live.jsonl, live.1.jsonl", {
    help: "a log of shaped outputs: tools and lengths, no text",
    kept: "the older file for `retention_days`, up to 1 MB each",
  }),
  fileSpec("state", "trimtab", "iteration", {
    help: "the number of the newest checkpoint",
    kept: UNTIL_CLEAN_ALL,
  }),
  fileSpec("state", "trimtab", "left.json", {
    help: "the session that `/clear` replaced",
    kept: UNTIL_CLEAN_ALL,
  }),
  fileSpec("housekeeping", "trimtab", "*.lock", {
    help: "an empty lock file for writers",
    kept: UNTIL_CLEAN_ALL,
    alsoNamed: String
      .raw`(?:blackboard\.jsonl|events\.jsonl|live\.jsonl|iteration|watch)\.lock(?:\.held)?|watch\.json`,
  }),
  fileSpec("state", "trimtab/state", "<session id>.json", {
    help: "a session's window, last warning and last checkpoint",
    kept: KEPT_STATE,
  }),
  fileSpec("state", "trimtab/state", "<session id>.inside.json", {
    help: "a session's trims in place, and the token counts that the client reports",
    kept: KEPT_STATE,
  }),
  fileSpec("handoff", "trimtab/handoffs", "<parent session id>.json", {
    help: "a handoff, and which session claimed it",
    kept: "`retention_days`; a session can claim it for a day",
    alsoNamed: String.raw`${UUID_PATTERN}${CLAIM_SUFFIX}\.json`,
  }),
  fileSpec("handoff", "trimtab/handoffs", "<parent session id>.md", {
    help: "the prompt of that handoff",
    kept: "as long as the handoff",
  }),
  fileSpec(
    "mark",
    "trimtab/marks",
    "<parent session id>.handoff, YYYY-MM-DD-HHMMSS.md, YYYY-MM-DD-HHMMSS.json, YYYYMMDD_HHMMSS.json, work.toml, project.toml",
    {
      help: "a mark showing that trimtab wrote the file on this machine",
      kept: "as long as its file",
    },
  ),
  fileSpec("report", "trimtab/reports", "<session id>.html", {
    help: "a page of `trimtab report`",
    kept: "`retention_days`",
    alsoNamed: String.raw`(?:project|session)\.html`,
  }),
];

export const SPILL_FILE: FileSpec = {
  folder: SPILL_FOLDER,
  name: /^[^.]/,
  shown: "<session id>/*",
  kind: "output",
  help: "shaped outputs in full",
  kept: "`retention_days` after the last use of its session, or of a copy",
};
