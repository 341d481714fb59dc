import { contextManagementInstructions, generatePrompt } from "../plan/worker_prompt.ts";
import { readConfig } from "../config/read_config.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** Options for a worker's prompt. */
export interface PromptOptions extends PlaceOptions {
  /** The issue to work on, such as `#42`; without it, only the section on context management is rendered. */
  readonly taskRef?: string | undefined;
  /** The command that reads and writes issues. @default {"gh"} */
  readonly ghCli?: string | undefined;
  /** The project's own guidelines, as Markdown. @default {""} */
  readonly workerGuidelines?: string | undefined;
}

/** A worker's prompt, or its section on context management. */
export interface PromptResult {
  /** The section or, with a `taskRef`, the whole prompt. */
  readonly text: string;
}

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
