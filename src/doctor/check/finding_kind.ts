/** Types of a kind of finding, and the ids of all kinds. */

/** Severity of a finding: an error breaks something, a warning needs attention, info does not. */
export type FindingLevel = "error" | "warning" | "info";

/** One kind of finding. */
export interface FindingKind {
  /** Its severity. Errors and warnings make the command exit 3. */
  readonly level: FindingLevel;
  /** A few words about it. */
  readonly title: string;
  /** Its meaning for the user. */
  readonly meaning: string;
  /** The remedy; `FILE`, `FOLDER` and `SESSION` stand for the finding's subject. */
  readonly fix: string;
  /** Whether `trimtab doctor --fix` applies the remedy. */
  readonly fixable: boolean;
}

/** The id of a kind of finding. */
export type FindingId =
  | "deno_missing"
  | "client_too_old"
  | "plugin_file_broken"
  | "settings_unreadable"
  | "hooks_disabled"
  | "hooks_outdated"
  | "hooks_twice"
  | "hooks_not_registered"
  | "open_to_others"
  | "file_unusable"
  | "name_taken"
  | "ignore_weak"
  | "file_tracked"
  | "files_foreign"
  | "deno_cache_unwritable"
  | "config_wrong"
  | "config_without_effect"
  | "state_unreadable"
  | "index_damaged"
  | "save_damaged"
  | "session_refused"
  | "session_cut_off"
  | "session_loses_lines"
  | "expired_files"
  | "check_failed";
