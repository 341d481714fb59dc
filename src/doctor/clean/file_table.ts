/** Every file that trimtab writes; `clean` and the reference pages use this table. */

import { TEMPORARY_PREFIX } from "../../store/atomic.ts";

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

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** A process that is killed while it writes leaves such a file. */
export const TEMPORARY_NAME: RegExp = new RegExp(
  `^${RegExp.escape(TEMPORARY_PREFIX)}[0-9a-f-]{36}$`,
);

export const KEPT_NAME: RegExp = new RegExp(`^${ID}\\.jsonl$`);

/** Matches lock files in any of trimtab's folders, such as `.lock` and `.index.lock.held`. */
export const LOCK_NAME = /^\.(?:[a-z]+\.)?lock(?:\.held)?$/;

/** Contains the full text of shaped outputs, in one folder for each session. */
export const SPILL_FOLDER = "trimtab/spill";

const UNTIL_CLEAN_ALL = "until `trimtab clean --all`";
const KEPT_DAYS = "`retention_days`; the newest of each session longer";
const KEPT_STATE = "`retention_days` after its session";

/** All files that trimtab writes in a project. Folders that are not listed here belong to others. */
export const OWN_FILES: readonly FileSpec[] = [
  {
    folder: "checkpoints",
    name: /^\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?\.md$/,
    shown: "YYYY-MM-DD-HHMMSS.md",
    kind: "checkpoint",
    help: "a checkpoint as Markdown, for people to read",
    kept: KEPT_DAYS,
  },
  {
    folder: "checkpoints",
    name: /^\d{4}-\d{2}-\d{2}-\d{6}(?:-\d{1,4})?\.json$/,
    shown: "YYYY-MM-DD-HHMMSS.json",
    kind: "checkpoint",
    help: "a checkpoint in the format of `snapshots.schema.json`",
    kept: "as long as its Markdown file",
  },
  {
    folder: "runtime/context-snapshots",
    name: /^\d{8}_\d{6}(?:-\d{1,6})?\.json$/,
    shown: "YYYYMMDD_HHMMSS.json",
    kind: "snapshot",
    help: "a snapshot in the same format",
    kept: KEPT_DAYS,
  },
  {
    folder: "trimtab",
    name: /^sessions\.json$/,
    shown: "sessions.json",
    kind: "lineage",
    help: "the lineage: the parent of each session",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    folder: "trimtab",
    name: /^sessions\.damaged-\d{4}-\d{2}-\d{2}T\d{6}\.\d{3}Z\.json$/,
    shown: "sessions.damaged-YYYY-MM-DDTHHMMSS.SSSZ.json",
    kind: "lineage",
    help: "a backup of a damaged lineage",
    kept: "the newest 10",
  },
  {
    folder: "trimtab",
    name: /^blackboard(?:\.1)?\.jsonl$/,
    shown: "blackboard.jsonl, blackboard.1.jsonl",
    kind: "blackboard",
    help: "requests to the sessions of the project",
    kept: "`retention_days`, up to 256 KB each",
  },
  {
    folder: "trimtab",
    name: /^events(?:\.1)?\.jsonl$/,
    shown: "events.jsonl, events.1.jsonl",
    kind: "events",
    help: "a log of what trimtab did",
    kept: "the older file for `retention_days`, up to 1 MB each",
  },
  {
    folder: "trimtab",
    name: /^live(?:\.1)?\.jsonl$/,
    shown: "live.jsonl, live.1.jsonl",
    kind: "events",
    help: "a log of shaped outputs: tools and lengths, no text",
    kept: "the older file for `retention_days`, up to 1 MB each",
  },
  {
    folder: "trimtab",
    name: /^iteration$/,
    shown: "iteration",
    kind: "state",
    help: "the number of the newest checkpoint",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    folder: "trimtab",
    name: /^left\.json$/,
    shown: "left.json",
    kind: "state",
    help: "the session that `/clear` replaced",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    folder: "trimtab",
    name:
      /^(?:(?:blackboard\.jsonl|events\.jsonl|live\.jsonl|iteration|watch)\.lock(?:\.held)?|watch\.json)$/,
    shown: "*.lock",
    kind: "housekeeping",
    help: "an empty lock file for writers",
    kept: UNTIL_CLEAN_ALL,
  },
  {
    folder: "trimtab/state",
    name: new RegExp(`^${ID}\\.json$`, "i"),
    shown: "<session id>.json",
    kind: "state",
    help: "a session's window, last warning and last checkpoint",
    kept: KEPT_STATE,
  },
  {
    folder: "trimtab/state",
    name: new RegExp(`^${ID}\\.inside\\.json$`, "i"),
    shown: "<session id>.inside.json",
    kind: "state",
    help: "a session's trims in place, and the token counts that the client reports",
    kept: KEPT_STATE,
  },
  {
    folder: "trimtab/handoffs",
    name: new RegExp(`^${ID}(?:\\.claimed-${ID}\\.\\d{1,16})?\\.json$`, "i"),
    shown: "<parent session id>.json",
    kind: "handoff",
    help: "a handoff, and which session took it",
    kept: "a day if no session takes it; once taken, `retention_days`",
  },
  {
    folder: "trimtab/handoffs",
    name: new RegExp(`^${ID}\\.md$`, "i"),
    shown: "<parent session id>.md",
    kind: "handoff",
    help: "the prompt of that handoff",
    kept: "as long as the handoff",
  },
  {
    folder: "trimtab/marks",
    name: new RegExp(
      `^(?:\\d{4}-\\d{2}-\\d{2}-\\d{6}(?:-\\d{1,4})?\\.(?:md|json)|\\d{8}_\\d{6}(?:-\\d{1,6})?\\.json|${ID}\\.handoff|(?:work|project)\\.toml)$`,
      "i",
    ),
    shown: "<parent session id>.handoff, YYYY-MM-DD-HHMMSS.md, YYYY-MM-DD-HHMMSS.json, " +
      "YYYYMMDD_HHMMSS.json, work.toml, project.toml",
    kind: "mark",
    help: "the mark that trimtab wrote a file on this machine",
    kept: "as long as its file",
  },
  {
    folder: "trimtab/reports",
    name: new RegExp(`^(?:${ID}|project|session)\\.html$`, "i"),
    shown: "<session id>.html",
    kind: "report",
    help: "a page of `trimtab report`",
    kept: "`retention_days`",
  },
];

export const SPILL_FILE: FileSpec = {
  folder: SPILL_FOLDER,
  name: /^[^.]/,
  shown: "<session id>/*",
  kind: "output",
  help: "shaped outputs in full",
  kept: "`retention_days` after the last use of its session, or of a copy",
};
