/** Kinds of findings about trimtab's files and about sessions. */

import type { FindingId, FindingKind } from "./finding_kind.ts";

export const FILE_FINDINGS = {
  state_unreadable: {
    level: "warning",
    title: "A state file of trimtab is damaged",
    meaning: "It counts as empty: a warning may be repeated, or a window estimated.",
    fix: "Delete FILE.",
    fixable: false,
  },
  index_damaged: {
    level: "warning",
    title: "The lineage or the index of checkpoints is damaged",
    meaning: "Lists show too much or too little. The checkpoints themselves are intact.",
    fix: "`trimtab doctor --fix` rewrites FILE from what is valid.",
    fixable: true,
  },
  save_damaged: {
    level: "warning",
    title: "A checkpoint, a snapshot or a handoff cannot be used whole",
    meaning: "It was truncated or modified, or comes from a newer trimtab.",
    fix:
      "Save again with `trimtab checkpoint`, `trimtab snapshot` or `trimtab rollover`; delete FILE if you do not need it.",
    fixable: false,
  },
  session_refused: {
    level: "error",
    title: "A session does not resume",
    meaning: "Claude Code stops at something in it, or the API rejects it.",
    fix: "Run `trimtab rescue SESSION`; it writes a copy that resumes.",
    fixable: false,
  },
  session_cut_off: {
    level: "warning",
    title: "A session resumes without its beginning",
    meaning:
      "The parent of its first message is not in the file, so Claude Code does not send what came before.",
    fix: "Run `trimtab rescue SESSION`; it writes a copy with the conversation reconnected.",
    fixable: false,
  },
  session_loses_lines: {
    level: "info",
    title: "A session resumes without some of its lines",
    meaning: "Two entries share a line, a line is truncated, or an image cannot be sent.",
    fix: "If they matter, run `trimtab rescue SESSION`; it writes a copy that has them.",
    fixable: false,
  },
  expired_files: {
    level: "info",
    title: "Files are left that nothing needs any more",
    meaning: "They are past their retention period, or a killed process left them.",
    fix: "Run `trimtab clean`; --apply deletes what it lists.",
    fixable: false,
  },
  check_failed: {
    level: "error",
    title: "A check could not run",
    meaning: "Usually a folder cannot be read. The other checks ran.",
    fix: "Fix what the problem describes, then run `trimtab doctor` again.",
    fixable: false,
  },
} as const satisfies Partial<Record<FindingId, FindingKind>>;
