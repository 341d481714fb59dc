/**
 * Facts about modules, which run inside the client since 2.1.287: an early-access feature that changes
 * from release to release.
 *
 * @module
 */

import type { Fact } from "./facts.ts";

const FILE = "tests/e2e/inside_test.ts";
const WITHOUT = "/trim makes a copy by the hook, as with clients that load no modules.";

const IN_PLACE = {
  file: FILE,
  test:
    "/trim works in place: one session, no request, resumed with and without the plugin, recalled and undone",
};
const KEPT = {
  file: FILE,
  test:
    "/trim in place keeps context outside of messages: mentioned files, skills, agents' reports",
};
const PAIRED = {
  file: "tests/e2e/in_place_property_test.ts",
  test: "a trim in place and its undo lose nothing, whatever the order of the session's lines",
};
const BEFORE = {
  file: FILE,
  test: "the client's own compaction becomes a trim in place, in the middle of a turn",
};

const WATCHED = {
  file: FILE,
  test:
    "the module watches the window without a process: it reports each level once, and a trim's figure at once",
};
const HOOKS_WATCH = "The hooks watch the window, a process for each batch of calls.";

const EDITED = {
  file: FILE,
  test:
    "after a trim in place a file can be edited that was read before, unless somebody changed it",
};

const IN_TIME = {
  file: "tests/e2e/in_time_test.ts",
  test:
    "a window over trim_at_percent is trimmed once, when the turn ends, and not again after an undo",
};

export const MODULE_FACTS = [
  {
    id: "module-command-run",
    fact: "A module hears of a skill of its plugin before the skill runs, and may answer for it.",
    heldBy: IN_PLACE,
    without: WITHOUT,
  },
  {
    id: "module-compact-answer",
    fact: "What a module answers to session.compact is the conversation from then on, unasked.",
    heldBy: IN_PLACE,
    without: WITHOUT,
  },
  {
    id: "module-rows-anew",
    fact: "Rows that are built anew, calls made at once in one, are resumed as they were answered.",
    heldBy: IN_PLACE,
    without: WITHOUT,
  },
  {
    id: "module-tool",
    fact:
      "A module may give the model a tool, tell it of it behind the conversation, and answer it.",
    heldBy: IN_PLACE,
    without: "A notice names the line of the transcript, which trimtab show prints.",
  },
  {
    id: "module-permission-rules",
    fact:
      "A module may ask what the permission rules say of a call; a denial by a rule names the rule.",
    heldBy: IN_PLACE,
    without: "The model is refused what a trim cut, and trimtab show prints it.",
  },
  {
    id: "module-env",
    fact:
      "What a module sets in the environment the hooks of the same event and of later ones get.",
    heldBy: WATCHED,
    without: HOOKS_WATCH,
  },
  {
    id: "module-classic-context",
    fact: "A module may add to what the hooks of a prompt or of a batch of calls tell the model.",
    heldBy: WATCHED,
    without: HOOKS_WATCH,
  },
  {
    id: "module-catch",
    fact: "A hook of a module that fails is passed over, or answered by what it names for that.",
    heldBy: {
      file: FILE,
      test:
        "if the module fails, the hooks watch the window, and a requested trim makes no summary",
    },
    without: "A trim that fails in the middle is the client's own summary.",
  },
  {
    id: "module-usage",
    fact: "A module is told how full the window is, by kind, and where the client compacts.",
    heldBy: WATCHED,
    without: HOOKS_WATCH,
  },
  {
    id: "module-file-state",
    fact:
      "With the conversation the client forgets which files were read; a module's Read tells it.",
    heldBy: EDITED,
    without: "The model reads a file once more before it edits it.",
  },
  {
    id: "module-messages-pair-calls",
    fact:
      "messages({ as: 'api' }) has each call of an answer, and all its results right behind it.",
    heldBy: PAIRED,
    without: "A call whose result stands elsewhere stops the trim, which says so.",
  },
  {
    id: "module-rows-leave-out",
    fact:
      "Attachments and the words of skills stand in no row, and are not put back by the client.",
    heldBy: KEPT,
    without: WITHOUT,
  },
  {
    id: "module-compact-auto",
    fact: "In the middle of a turn a compaction that a module answers lets the turn go on.",
    heldBy: BEFORE,
    without: "The client compacts by itself, with what the hooks save.",
  },
  {
    id: "module-turn-complete",
    fact:
      "A module hears of the end of a turn, and a command that it runs then waits for the rest.",
    heldBy: IN_TIME,
    without: "Nothing is trimmed at trim_at_percent; trimtab doctor says so.",
  },
  {
    id: "module-note-at-prompt",
    fact: "What a module tells the model while a prompt is submitted goes with that prompt.",
    heldBy: IN_PLACE,
    without: "A notice names the line of the transcript, which trimtab show prints.",
  },
  {
    id: "module-note-before-boundary",
    fact:
      "What a module tells the model before it answers a compaction goes with the next request.",
    heldBy: BEFORE,
    without: "A notice names the line of the transcript, which trimtab show prints.",
  },
  {
    id: "module-declarations",
    fact:
      "The client declares what a module may use, its globals included: a decoder does not stream.",
    heldBy: {
      file: "tests/e2e/module_test.ts",
      test: "hooks/_inside.ts type-checks against the client's declarations",
    },
    without: WITHOUT,
  },
] as const satisfies readonly Fact[];
