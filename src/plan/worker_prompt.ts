import { DEFAULT_CONFIG } from "../config/schema.ts";
import type { ThresholdConfig } from "../gauge/ladder.ts";

/** Usage from which answer quality declines, according to the design documents. */
const QUALITY_LOSS_PERCENT = 60;

/** As in the design documents; `gauge/limit.ts` computes the real value. */
const AUTO_COMPACTION_PERCENT = 95;

/** Options for {@linkcode generatePrompt}. */
export interface WorkerPromptOptions {
  /** A reference to the task, such as `#42`. */
  readonly taskRef: string;
  /** The command that reads and writes issues. @default {"gh"} */
  readonly ghCli?: string;
  /** The project's own guidelines, as Markdown. @default {""} */
  readonly workerGuidelines?: string;
  /** The configured thresholds. @default {DEFAULT_CONFIG.context} */
  readonly config?: ThresholdConfig;
}

/** The section on the context window, with the default thresholds. */
export const CONTEXT_MANAGEMENT_INSTRUCTIONS: string = contextManagementInstructions(
  DEFAULT_CONFIG.context,
);

export function contextManagementInstructions(config: ThresholdConfig): string {
  const { warn_threshold: warn, recommend_threshold: recommend, urgent_threshold: urgent } = config;
  return `## Context Management

Your context window is finite. The quality of your answers falls from about ${QUALITY_LOSS_PERCENT}% on, and at
${AUTO_COMPACTION_PERCENT}% auto-compaction replaces the conversation with a summary, which is lossy. Act before that.

### Monitoring

- The status line shows how full the window is; so does \`trimtab status\`.
- You get reminders at ${warn}%, ${recommend}% and ${urgent}%.

### Actions

- **From ${warn}%**, when your answers get worse: ask for \`/trim\`. It cuts long old outputs of tools and
  keeps every message, every decision and the newest results; of a long session it frees about a third
  of the context (16-48%; \`trimtab trim --dry-run\` shows the figure for this session). It can be repeated.
- **From ${recommend}%**, or when a trim no longer helps: use \`/rollover\`. You write a short handoff, and a
  fresh session starts with it. Everything else is still in this session's transcript:
  \`trimtab search PATTERN\` finds it, and \`trimtab show ID:LINE\` prints it in full.
- **From ${urgent}%**: do one of the two now.

### Priority Order

1. \`/trim\`: the least disruptive; the session continues.
2. \`/rollover\`: a clean handoff and an empty window.
3. Auto-compaction: the last resort. It is lossy, and the client chooses what is lost.
`;
}

/**
 * Renders the prompt that starts a worker: the task, the project's guidelines, the section on
 * the context window, and the steps.
 *
 * @param options The task, the command for issues, the project's guidelines, and the thresholds.
 * @returns The prompt as Markdown.
 * @throws {TypeError} When the task or the command is empty or has more than one line.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { generatePrompt } from "./worker_prompt.ts";
 *
 * const prompt = generatePrompt({ taskRef: "#42", ghCli: "gh", workerGuidelines: "Use tabs." });
 * assert(prompt.indexOf("Use tabs.") < prompt.indexOf("## Context Management"));
 * assert(prompt.indexOf("## Context Management") < prompt.indexOf("## Steps"));
 * ```
 */
export function generatePrompt(options: WorkerPromptOptions): string {
  const taskRef = oneLine(options.taskRef, "the task");
  const ghCli = oneLine(options.ghCli ?? "gh", "the command for issues");
  const guidelines = (options.workerGuidelines ?? "").trim();
  const config = options.config ?? DEFAULT_CONFIG.context;
  return [
    `# Task ${taskRef}\n\nYou work on ${taskRef} on your own, from its description to a change that is ready to merge.\n`,
    ...(guidelines === "" ? [] : [`## Guidelines\n\n${guidelines}\n`]),
    contextManagementInstructions(config),
    stepsText(taskRef, ghCli),
  ].join("\n");
}

function stepsText(taskRef: string, ghCli: string): string {
  const number = /^#(\d+)$/.exec(taskRef)?.[1];
  const view = number === undefined ? "" : ` (\`${ghCli} issue view ${number}\`)`;
  return `## Steps

1. Read all of ${taskRef}${view} and what it refers to. Write down what must be true at the end.
2. Look at the code that it touches, and at how similar things are done and tested here.
3. Write a test that fails for the right reason, then the change that makes it pass.
4. Run all of the project's checks, and fix the problems they find.
5. Commit in small steps, each with a message that says why.
6. Open a pull request that names ${taskRef} (\`${ghCli} pr create\`), and say what you did, what you saw
   when you tested it, and what is left.
`;
}

function oneLine(text: string, what: string): string {
  const line = text.trim();
  if (line === "" || /[\r\n]/.test(line)) {
    throw new TypeError(
      `Cannot write the prompt: ${what} must be one line of text, got ${JSON.stringify(text)}`,
    );
  }
  return line;
}
