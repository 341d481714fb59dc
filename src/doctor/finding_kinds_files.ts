/** The words for what can be wrong with what trimtab keeps, and with sessions. */

import type { FindingId, FindingKind } from "./finding_kind.ts";

/** What can be wrong with files. */
export const FILE_FINDINGS = {
  state_unreadable: {
    level: "warning",
    title: "A small file of trimtab's memory is damaged",
    meaning:
      "It counts as empty: a warning may come twice, or a window's size is estimated, until " +
      "it is written again.",
    fix: "Delete FILE.",
    fixable: false,
  },
  lineage_damaged: {
    level: "warning",
    title: "The lineage is damaged",
    meaning: "Some rows of sessions.json cannot be read. The rows that are fine are used.",
    fix: "`trimtab doctor --fix` writes the sound rows anew and keeps the damaged file beside it.",
    fixable: true,
  },
  handoff_unreadable: {
    level: "warning",
    title: "A handoff cannot be read",
    meaning: "No session will go on from it.",
    fix: "Look at FILE, and roll over again or delete it.",
    fixable: false,
  },
  log_torn: {
    level: "warning",
    title: "A log ends in half a line",
    meaning: "A writer was killed or the disk was full. Half a line is no message; the next one " +
      "begins on a line of its own.",
    fix: "`trimtab doctor --fix` takes the half line out.",
    fixable: true,
  },
  log_damaged_lines: {
    level: "info",
    title: "A log holds lines that are no messages",
    meaning: "Readers pass over them.",
    fix: "Nothing needs to be done: they go when the log starts anew.",
    fixable: false,
  },
  log_foreign_lines: {
    level: "warning",
    title: "The blackboard holds messages that trimtab did not post here",
    meaning: "They came with the repository, or the key of this machine was lost. No session " +
      "is given them.",
    fix: "Look at FILE, and delete it if you did not expect it.",
    fixable: false,
  },
  checkpoint_phantom: {
    level: "warning",
    title: "The index names a checkpoint that is gone",
    meaning: "It was said to be saved, and its file is not there (any more).",
    fix: "`trimtab doctor --fix` makes the index anew from the files.",
    fixable: true,
  },
  checkpoint_unindexed: {
    level: "warning",
    title: "A checkpoint is not in the index",
    meaning: "It is used in its own project; what lists all projects does not know it.",
    fix: "`trimtab doctor --fix` makes the index anew from the files.",
    fixable: true,
  },
  index_damaged: {
    level: "warning",
    title: "The index of checkpoints is damaged",
    meaning: "It counts as empty until the next checkpoint; the checkpoints themselves are there.",
    fix: "`trimtab doctor --fix` makes it anew from the files.",
    fixable: true,
  },
  checkpoint_damaged: {
    level: "warning",
    title: "A checkpoint is not whole",
    meaning: "It was cut off or changed, and restores in part or not at all.",
    fix: "Run `trimtab checkpoint` to save a new one; delete FILE if nothing in it is of use.",
    fixable: false,
  },
  snapshot_unreadable: {
    level: "warning",
    title: "A snapshot cannot be used",
    meaning: "It was cut off or changed, or is of a newer version of trimtab.",
    fix: "Run `trimtab snapshot` to save a new one; delete FILE if nothing in it is of use.",
    fixable: false,
  },
  session_refused: {
    level: "error",
    title: "A session does not resume",
    meaning: "Something in what would be sent makes Claude Code stop, or the API refuses it.",
    fix: "Run `trimtab rescue SESSION`; it writes a copy that resumes.",
    fixable: false,
  },
  session_cut_off: {
    level: "warning",
    title: "A session resumes without its beginning",
    meaning:
      "Its first message names one that is not in the file. Claude Code does not send what " +
      "was said before, though the API's figure of the window counts it.",
    fix: "Run `trimtab rescue SESSION`; it writes a copy in which the conversation hangs together.",
    fixable: false,
  },
  session_loses_lines: {
    level: "info",
    title: "A session resumes without some of its lines",
    meaning:
      "Two entries share a line, a line is torn, or an image cannot be sent: Claude Code goes " +
      "on without them.",
    fix: "If they matter, run `trimtab rescue SESSION`; it writes a copy that has them.",
    fixable: false,
  },
  leftover_temporary: {
    level: "warning",
    title: "A killed process left half a file",
    meaning: "It never got its name and is of no use.",
    fix: "Run `trimtab clean --apply`; delete FILE by hand if it is still there then.",
    fixable: true,
  },
  expired_files: {
    level: "info",
    title: "Files are older than they are kept",
    meaning: "They take up space and nothing else.",
    fix: "Run `trimtab clean` to see them, `trimtab clean --apply` to delete them.",
    fixable: false,
  },
  check_failed: {
    level: "error",
    title: "A check could not be made",
    meaning:
      "Something stands in its way, mostly a folder that may not be read. The other checks " +
      "were made.",
    fix: "Put right what the problem names, then run `trimtab doctor` again.",
    fixable: false,
  },
} as const satisfies Partial<Record<FindingId, FindingKind>>;
