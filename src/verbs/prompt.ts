/** Renders the section on context management of a worker's prompt. */

import { contextManagementInstructions, generatePrompt } from "../plan/worker_prompt.ts";
import { readConfig } from "../config/read_config.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** Whether to word the section alone, or all of a prompt. */
export interface PromptOptions extends PlaceOptions {
  /** The issue to work on, such as `#42`; with it, the whole prompt is made. */
  readonly taskRef?: string | undefined;
  /** The command that reads and writes issues. @default {"gh"} */
  readonly ghCli?: string | undefined;
  /** The project's own rules, as Markdown. @default {""} */
  readonly workerGuidelines?: string | undefined;
}

/** Text for a worker. */
export interface PromptResult {
  /** The section; with a `taskRef` all of the prompt. */
  readonly text: string;
}

/** Writes a worker's guidelines for its window, with the thresholds of the project. */
export async function prompt(options: PromptOptions = {}): Promise<PromptResult> {
  const { taskRef, ghCli, workerGuidelines } = options;
  const { context: config } = await readConfig(locateProject(options));
  if (taskRef === undefined) return { text: contextManagementInstructions(config) };
  const text = generatePrompt({
    taskRef,
    ...(ghCli === undefined ? {} : { ghCli }),
    ...(workerGuidelines === undefined ? {} : { workerGuidelines }),
    config,
  });
  return { text };
}
