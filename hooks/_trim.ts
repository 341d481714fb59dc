/** Runs `/trim` as a copy, with the options that the user typed. */

import { helpText, TRIM_SPEC, UsageError } from "../cli/spec.ts";
import { refuseConflicts, refuseInPlaceOptions, trimChoices } from "../cli/trim.ts";
import { errorMessage } from "../cli/trouble.ts";
import { hookConfig } from "../src/config/read_config.ts";
import { type PayloadObject, textOf } from "../src/events/call.ts";
import { exists } from "../src/store/exists.ts";
import { findConfigDir, findProjectDir } from "../src/store/paths.ts";
import { findSession, readStartFolder } from "../src/transcript/find.ts";
import { parseArguments, splitArguments } from "../cli/parse.ts";

const IN_PLACE =
  "/trim makes the running session smaller in place. With --copy, or if a trim in place is not " +
  "possible, it writes a copy, like `trimtab trim`:";

export async function trim(payload: PayloadObject): Promise<string> {
  try {
    const typed = textOf(payload, "command_args") ?? "";
    const { options, positionals: [given] } = parseArguments(TRIM_SPEC, splitArguments(typed));
    const { help = false, explain, dryRun, json = false } = options;
    if (help) return `${IN_PLACE}\n\n${helpText(TRIM_SPEC)}`;
    refuseConflicts(options);
    refuseInPlaceOptions(options);
    if (TRIM_SPEC.options.some(({ name }) => name === given)) {
      throw new UsageError(`Cannot run trim: ${given} is not a session; the option is --${given}`);
    }
    const transcript = textOf(payload, "transcript_path");
    if (given === undefined && (transcript === undefined || !exists(transcript))) {
      return "Nothing to trim yet: this session has no messages";
    }
    const cwd = textOf(payload, "cwd") ?? Deno.cwd();
    const configDir = findConfigDir();
    const session = findSession(given ?? transcript, { configDir, cwd });
    const projectDir = findProjectDir({ cwd, startFolder: readStartFolder(session.path) });
    const place = { session, projectDir, configDir };
    const { config, notice } = await hookConfig(place);
    const { trimAt } = await import("../src/verbs/trim.ts");
    const { describeCopy } = await import("../src/trim/report_text.ts");
    const choices = { ...trimChoices(options), explain, dryRun };
    const result = await trimAt(place, config.context, choices);
    if (json) return JSON.stringify(result);
    return describeCopy(result) + (notice === null ? "" : `\n${notice}`);
  } catch (error) {
    const message = errorMessage(error);
    return message.startsWith("Cannot ") ? message : `Cannot trim: ${message}`;
  }
}
