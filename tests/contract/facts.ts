/**
 * Lists the facts about Claude Code and Deno that trimtab relies on.
 *
 * Either a probe in this folder or a test with the real client checks a fact. A house test checks
 * that every test named here exists.
 *
 * @module
 */

import { MODULE_FACTS } from "./module_facts.ts";

/**
 * The probe of `run.ts` or the test that checks a fact; `test` can also name a session of the
 * golden test.
 */
export type HeldBy =
  | { readonly probe: string }
  | { readonly file: string; readonly test: string };

export interface Fact {
  readonly id: string;
  readonly fact: string;
  readonly heldBy: HeldBy;
  /** For an optional fact: the feature that trimtab loses if the fact does not hold. */
  readonly without?: string;
}

const E2E = "tests/e2e";
const GOLDEN = `${E2E}/golden/written_sessions.ts`;
const HEADLESS = { probe: "headless" };
const RESUME = { probe: "resume" };
const CHAT = { probe: "chat" };
const ASYNC = { probe: "async" };
const TERMINAL = { probe: "terminal" };
const WINDOWS = { probe: "windows" };
const DENO = { probe: "deno" };

function inTest(file: string, test: string): HeldBy {
  return { file: `${E2E}/${file}`, test };
}

function inGolden(session: string): HeldBy {
  return { file: GOLDEN, test: session };
}

const TRANSCRIPT_FACTS = [
  {
    id: "transcript-path",
    fact: "A session is projects/<cwd with '-' for all but letters and digits>/<uuid>.jsonl.",
    heldBy: HEADLESS,
  },
  {
    id: "long-path-folder",
    fact:
      "The folder of a path over 200 characters starts with the path's first 150 and is shortened.",
    heldBy: CHAT,
  },
  {
    id: "config-dir",
    fact: "CLAUDE_CONFIG_DIR moves everything that the client keeps.",
    heldBy: inTest(
      "trim_test.ts",
      "/trim works with CLAUDE_CONFIG_DIR, and with spaces and any letters in paths",
    ),
  },
  {
    id: "transcript-private",
    fact: "A transcript can be read by its owner alone.",
    heldBy: HEADLESS,
  },
  {
    id: "lines-name-session",
    fact: "Every entry of the tree names the session, and the first ones the folder it started in.",
    heldBy: HEADLESS,
  },
  {
    id: "first-bytes",
    fact: "The notes on the last prompt and on a title start with their type.",
    heldBy: HEADLESS,
  },
  {
    id: "last-prompt-leaf",
    fact: "The note on the last prompt names the newest entry of the tree before it.",
    heldBy: HEADLESS,
  },
  {
    id: "one-line-per-block",
    fact: "A message is one line per block, each with the message's id and whole usage.",
    heldBy: HEADLESS,
  },
  {
    id: "parallel-results",
    fact:
      "Parallel calls are chained; each result is a child of its own call, the next answer from the last.",
    heldBy: HEADLESS,
  },
  {
    id: "parallel-results-put-back",
    fact: "On resume the client puts results beside the chain back behind their message.",
    heldBy: inGolden("parallel calls, and results beside the chain"),
  },
  {
    id: "parallel-words-put-back",
    fact:
      "From 2.1.261 on the client puts back what hooks wrote about such results too; before, it does not.",
    heldBy: inGolden("parallel calls, and other lines between"),
  },
  {
    id: "resume-tip",
    fact: "A session goes on from the last line, unless a noted leaf is on another branch.",
    heldBy: inGolden("a last prompt on another branch"),
  },
  {
    id: "missing-parent",
    fact:
      "Where a parent is missing, the client goes on from the message nearest before it in time.",
    heldBy: inGolden("missing parents, and lines near and far in time"),
  },
  {
    id: "preserved-segment",
    fact: "The lines that a compaction preserves lie before the boundary and are sent.",
    heldBy: inGolden("a preserved segment"),
  },
  {
    id: "orphans-dropped",
    fact: "Results without a call are left out, and calls without a result.",
    heldBy: inGolden("calls and results that miss one another"),
  },
  {
    id: "lines-not-sent",
    fact: "Of lines that only the client uses nothing is sent; of attachments a reminder.",
    heldBy: inGolden("lines of the client's own, some of them behind a prompt without an answer"),
  },
  {
    id: "kept-words",
    fact: "Where an attachment's entry keeps the words that were sent, those are sent again.",
    heldBy: RESUME,
  },
  {
    id: "twin-uuids",
    fact: "Of two lines with one uuid the client reads the last.",
    heldBy: inGolden("a circle, links of other kinds, and ids that stand twice"),
  },
  {
    id: "compact-boundary",
    fact: "A compaction writes a boundary without a parent, what was kept, and then the summary.",
    heldBy: RESUME,
  },
  {
    id: "summary-is-sent",
    fact: "After a compaction the request holds the summary.",
    heldBy: RESUME,
  },
  {
    id: "mirror-shapes",
    fact: "toolUseResult is an object of the tool's own shape, or a text for a call that failed.",
    heldBy: HEADLESS,
  },
  {
    id: "mirror-is-not-sent",
    fact: "Of a result only message.content reaches the API on a resumed session.",
    heldBy: RESUME,
  },
  {
    id: "failed-call-result",
    fact: "A command that fails is an error whose text starts with its exit code.",
    heldBy: HEADLESS,
  },
  {
    id: "persisted-output",
    fact:
      "Of a long output the client keeps the whole in tool-results/ and sends its path and a preview.",
    heldBy: HEADLESS,
  },
  {
    id: "subagent-file",
    fact: "An agent's lines are in subagents/agent-*.jsonl of the session, none in its transcript.",
    heldBy: HEADLESS,
  },
  {
    id: "file-ends-with-newline",
    fact: "A transcript ends with a line break.",
    heldBy: HEADLESS,
  },
  {
    id: "missing-newline-glues",
    fact:
      "To a file without a last line break older clients append on the last line; newer put one.",
    heldBy: RESUME,
    without: "Nothing: every file of trimtab's ends with a line break.",
  },
  {
    id: "unreadable-entries",
    fact: "The client ends on some entries that are malformed, and the API refuses others.",
    heldBy: inTest(
      "rescue_test.ts",
      "rescueSession() makes a session resume that failed or lost something before",
    ),
  },
  {
    id: "copes-by-itself",
    fact: "Orphans and other small damage do not keep a session from resuming.",
    heldBy: inTest(
      "rescue_test.ts",
      "rescueSession() removes nothing from a session that the client can handle by itself",
    ),
  },
] as const;

const USAGE_FACTS = [
  {
    id: "status-line-window",
    fact: "The status line is told the window, the tokens of all inputs, and their share, rounded.",
    heldBy: TERMINAL,
  },
  {
    id: "status-line-input",
    fact: "The status line is told session, transcript, folder, project and the model's names.",
    heldBy: TERMINAL,
  },
  {
    id: "model-window",
    fact: "The client's own window of a model is the one of the table.",
    heldBy: HEADLESS,
  },
  {
    id: "windows-of-models",
    fact:
      "Every model of a newer client's catalogue has the window of the table, however it is spelled.",
    heldBy: WINDOWS,
  },
  {
    id: "limit-of-line",
    fact:
      "The client's line counts against the window less 20,000 tokens, and less 13,000 where it compacts by itself.",
    heldBy: WINDOWS,
  },
  {
    id: "window-not-in-transcript",
    fact: "A transcript does not tell a model's large window; the status line does.",
    heldBy: inTest(
      "pressure_test.ts",
      "the client's status line corrects the percentage of a large window in the next hook",
    ),
  },
  {
    id: "stale-usage",
    fact: "A resumed copy shows the usage that its newest message names.",
    heldBy: inTest(
      "trim_interactive_test.ts",
      "/resume continues a copy by /trim at its percentage, which the next turn confirms",
    ),
  },
] as const;

const COPY_FACTS = [
  {
    id: "copy-resumes",
    fact: "claude --resume takes a copy whose file and lines have a new id.",
    heldBy: RESUME,
  },
  {
    id: "copy-resumes-inside",
    fact: "/resume <id> in a running session takes a copy.",
    heldBy: inTest(
      "trim_interactive_test.ts",
      "/resume continues a copy by /trim at its percentage, which the next turn confirms",
    ),
  },
  {
    id: "metadata-on-first-line",
    fact: "trim_metadata on a first line is never sent, and stays when the client appends.",
    heldBy: RESUME,
  },
  {
    id: "tasks-folder",
    fact: "The task list is in tasks/<id>/ and has to be copied.",
    heldBy: inTest("trim_test.ts", "a copy by /trim keeps the task list"),
  },
  {
    id: "file-history",
    fact:
      "/rewind restores code from file-history/<id>/, by links with their times; a title tells a copy.",
    heldBy: inTest(
      "trim_interactive_test.ts",
      "a copy by /trim keeps code to rewind to, and has its own title in the list of sessions",
    ),
  },
  {
    id: "deep-copy-goes-on",
    fact: "The API takes a session without old thinking, images and inputs, and Edit works in it.",
    heldBy: inTest(
      "deep_trim_test.ts",
      "the client resumes a deep copy and edits a file whose content was cut",
    ),
  },
] as const;

const HOOK_FACTS = [
  {
    id: "hook-payload",
    fact: "Every payload names session, transcript, folder and event.",
    heldBy: HEADLESS,
  },
  {
    id: "hook-environment",
    fact:
      "A plugin's hook has the project, the plugin's two folders, the session and the entry point.",
    heldBy: HEADLESS,
  },
  {
    id: "hook-timeout-seconds",
    fact: "A hook's timeout is in seconds.",
    heldBy: HEADLESS,
  },
  {
    id: "hook-command-quotes",
    fact: "A hook's command may quote ${CLAUDE_PLUGIN_ROOT} twice, whatever the path holds.",
    heldBy: inTest(
      "trim_test.ts",
      "/trim works with CLAUDE_CONFIG_DIR, and with spaces and any letters in paths",
    ),
  },
  {
    id: "env-file-for-start",
    fact: "SessionStart has CLAUDE_ENV_FILE, and what stands in it runs before each command.",
    heldBy: HEADLESS,
  },
  {
    id: "prompt-id",
    fact: "All events of a turn have one prompt_id.",
    heldBy: HEADLESS,
  },
  {
    id: "tool-batch",
    fact: "PostToolBatch fires once for the calls of a message, failed ones too, with their ids.",
    heldBy: HEADLESS,
  },
  {
    id: "post-tool-use-payload",
    fact: "PostToolUse has the tool's name, its input, its response and the id of the call.",
    heldBy: HEADLESS,
  },
  {
    id: "tool-responses",
    fact: "Bash, Read, Grep and Glob answer in the very shapes that are known.",
    heldBy: HEADLESS,
    without: "The output of a tool whose shape has changed reaches the model as it is.",
  },
  {
    id: "updated-output-bash",
    fact: "updatedToolOutput in Bash's shape replaces what the model sees.",
    heldBy: HEADLESS,
  },
  {
    id: "updated-output-read",
    fact: "updatedToolOutput in Read's shape replaces what the model sees.",
    heldBy: HEADLESS,
  },
  {
    id: "updated-output-grep",
    fact: "updatedToolOutput in Grep's shape replaces what the model sees.",
    heldBy: HEADLESS,
  },
  {
    id: "updated-output-glob",
    fact: "updatedToolOutput in Glob's shape replaces what the model sees.",
    heldBy: HEADLESS,
  },
  {
    id: "updated-output-is-kept",
    fact: "The transcript keeps the replaced output, so that a resumed session sends no other.",
    heldBy: HEADLESS,
  },
  {
    id: "start-sources-headless",
    fact: "SessionStart tells a new session from one that is resumed.",
    heldBy: HEADLESS,
  },
  {
    id: "start-sets-title",
    fact: "sessionTitle of a SessionStart hook names the session.",
    heldBy: HEADLESS,
  },
  {
    id: "terminal-entrypoint",
    fact: "With a person at it, CLAUDE_CODE_ENTRYPOINT is no sdk-*.",
    heldBy: TERMINAL,
  },
  {
    id: "session-end-in-terminal",
    fact: "SessionEnd fires when a person leaves, with a reason that is not clear.",
    heldBy: TERMINAL,
  },
  {
    id: "clear-pairs-sessions",
    fact: "/clear ends the old id just before it starts the new one.",
    heldBy: CHAT,
  },
  {
    id: "clear-names-prompt",
    fact: "Both events of a /clear name the prompt by which it came, or else the client's process.",
    heldBy: CHAT,
    without: "The session that was left last counts as the one before.",
  },
  {
    id: "compaction-order",
    fact: "A compaction runs PreCompact, then SessionStart, then PostCompact.",
    heldBy: RESUME,
  },
  {
    id: "compaction-payloads",
    fact:
      "PreCompact tells its trigger; SessionStart has the source compact, the same id, and a model.",
    heldBy: RESUME,
  },
  {
    id: "summariser-gets-words",
    fact: "What PreCompact prints is added to the summariser's instructions.",
    heldBy: RESUME,
  },
  {
    id: "compaction-can-be-blocked",
    fact:
      "PreCompact gets what was typed after /compact, and can block the compaction with a reason.",
    heldBy: inTest(
      "trim_test.ts",
      "/compact trimtab in a client without the module makes no summary, and says so",
    ),
  },
  {
    id: "context-after-compaction",
    fact:
      "The context of SessionStart reaches the next request, and stands there once after resumes.",
    heldBy: inTest(
      "memory_test.ts",
      "an automatic compaction of the client is preceded by a checkpoint and followed by its state",
    ),
  },
  {
    id: "context-of-prompt",
    fact: "The context of UserPromptSubmit reaches this very request.",
    heldBy: inTest(
      "pressure_test.ts",
      "the client's request for a prompt contains the warning that its last answer caused",
    ),
  },
  {
    id: "context-limit",
    fact: "A context of 10,000 characters arrives whole, and one more does not.",
    heldBy: RESUME,
  },
  {
    id: "message-for-user-only",
    fact: "systemMessage is shown to the user; additionalContext is not.",
    heldBy: inTest(
      "pressure_test.ts",
      "the client shows the warning to the user, and the status line",
    ),
  },
  {
    id: "subagent-hooks",
    fact: "An agent's calls fire hooks with the parent's session, told apart by agent_id.",
    heldBy: inTest(
      "pressure_test.ts",
      "the client's subagents are not warned, and the session is warned after them",
    ),
  },
  {
    id: "expansion-payload",
    fact:
      "UserPromptExpansion has the plugin's name before the command's, arguments, and the source.",
    heldBy: CHAT,
  },
  {
    id: "expansion-blocks",
    fact: "A blocked UserPromptExpansion shows its reason and makes no request.",
    heldBy: CHAT,
  },
  {
    id: "sync-stop-finishes",
    fact: "A Stop hook that is waited for comes to its end in claude -p.",
    heldBy: ASYNC,
  },
  {
    id: "async-stop-is-killed",
    fact: "A Stop hook that is not waited for is killed when claude -p ends: so ours is.",
    heldBy: ASYNC,
    without: "Nothing: the hook is waited for all the same.",
  },
] as const;

const SKILL_FACTS = [
  {
    id: "skill-full-name",
    fact: "A plugin's skill answers to its full name.",
    heldBy: CHAT,
  },
  {
    id: "skill-arguments",
    fact: "$ARGUMENTS in a skill's body is what was typed behind its name.",
    heldBy: CHAT,
  },
  {
    id: "skill-command-line",
    fact:
      "A skill's command line runs with what the skill allows, bin/ on its PATH, and the session's id.",
    heldBy: CHAT,
  },
  {
    id: "skill-refuses-expansion",
    fact: "A skill does not load whose command line holds a command substitution.",
    heldBy: CHAT,
    without: "Nothing: no skill of trimtab's has one.",
  },
  {
    id: "skill-command-must-not-fail",
    fact: "A skill whose command line fails does not load: so --skill always exits 0.",
    heldBy: CHAT,
    without: "Nothing: --skill always exits 0.",
  },
  {
    id: "bin-on-path",
    fact: "A plugin's bin/ is on the PATH of the Bash tool.",
    heldBy: inTest(
      "trim_test.ts",
      "the trim skill trims by its own command when no hook answers",
    ),
  },
  {
    id: "skill-over-builtin",
    fact: "A plugin's skill answers to its full name where the client has a command of that name.",
    heldBy: CHAT,
    without: "Nobody could type /trimtab:checkpoint, the older name of /save-checkpoint.",
  },
  {
    id: "linked-skills",
    fact:
      "Skills in the settings' folder are loaded through links, and their expansion names its source.",
    heldBy: inTest(
      "install_test.ts",
      "the setup of install --${scope} works in the client, and is gone after --uninstall",
    ),
  },
  {
    id: "settings-with-comments",
    fact: "The client ignores a settings file with a comment or a trailing comma.",
    heldBy: inTest(
      "install_test.ts",
      "the client ignores settings with a comment or a trailing comma, and install refuses them",
    ),
  },
  {
    id: "plugin-validate",
    fact: "claude plugin validate --strict judges the manifest, the hooks and the skills, offline.",
    heldBy: inTest(
      "plugin_test.ts",
      "claude plugin validate --strict accepts the marketplace, the plugin, its hooks and skills",
    ),
  },
  {
    id: "shell-environment",
    fact: "A command of the Bash tool has the session's id, and no variable of hooks.",
    heldBy: HEADLESS,
  },
  {
    id: "write-refused-under-claude",
    fact: "The Write tool is refused below .claude/ even where edits are accepted.",
    heldBy: HEADLESS,
    without: "Nothing: what the model writes goes through a command's stdin.",
  },
  {
    id: "prompt-argument",
    fact: "claude with a text behind it starts with that text as its prompt.",
    heldBy: TERMINAL,
  },
] as const;

const DENO_FACTS = [
  {
    id: "deno-config-of-script",
    fact: "deno run FILE finds deno.json from the script's folder.",
    heldBy: DENO,
  },
  {
    id: "deno-sync-stdin",
    fact: "A hook reads its payload from stdin without waiting for anything else.",
    heldBy: DENO,
  },
  {
    id: "deno-denies-without-asking",
    fact: "With --no-prompt a missing permission is a NotCapable error at once.",
    heldBy: DENO,
  },
  {
    id: "deno-lazy-imports",
    fact: "Told by a variable, Deno reads what a branch imports when it comes to that, if it may.",
    heldBy: DENO,
    without: "Nothing but time: where Deno does not know the variable, it reads all at the start.",
  },
  {
    id: "deno-unwritable-cache",
    fact: "Deno runs with a cache that cannot be written.",
    heldBy: inTest(
      "plugin_test.ts",
      "the launcher's hooks start with a cache that cannot be written",
    ),
  },
  {
    id: "deno-without-network",
    fact: "A hook whose imports are all in the project starts on an empty cache with no network.",
    heldBy: inTest(
      "plugin_test.ts",
      "every hook starts on a fresh machine without a network, and leaves the plugin as it is",
    ),
  },
] as const;

const ALL = [
  ...MODULE_FACTS,
  ...TRANSCRIPT_FACTS,
  ...USAGE_FACTS,
  ...COPY_FACTS,
  ...HOOK_FACTS,
  ...SKILL_FACTS,
  ...DENO_FACTS,
] as const;

export type FactId = typeof ALL[number]["id"];

export const FACTS: readonly (Fact & { readonly id: FactId })[] = ALL;
