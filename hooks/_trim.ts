/** Trims the session in which `/trim` was typed, with the options that were typed behind it. */

import { existsSync } from "@std/fs";
import { hookConfig } from "../src/config/hook_config.ts";
import { findConfigDir, findProjectDir } from "../src/store/paths.ts";
import { gaugeSession } from "../src/pressure/session_pressure.ts";
import { readSessionState } from "../src/store/state.ts";
import { findSession, readStartedIn } from "../src/transcript/find.ts";
import { describeTrim } from "../src/trim/report_text.ts";
import { flagOf, helpText, TRIM_SPEC } from "../cli/spec.ts";
import { noteTrim } from "../cli/lineage.ts";
import { noteDryRun, trimSettings } from "../cli/trim.ts";
import { messageOf } from "../cli/trouble.ts";
import { parseArguments, splitArguments } from "./_arguments.ts";
import { type PayloadObject, textOf } from "./_payload.ts";

/** A copy leaves its session as it was. */
const NO_UNDO = "Nothing to undo: the client trims in place only in a terminal, from " +
  "2.1.287 on, and a copy leaves its session unchanged.";

export async function trim(payload: PayloadObject): Promise<string> {
  try {
    const typed = textOf(payload, "command_args") ?? "";
    const args = parseArguments(TRIM_SPEC, splitArguments(typed));
    if (flagOf(args, "help")) return helpText(TRIM_SPEC);
    if (flagOf(args, "undo")) return NO_UNDO;
    // Loaded late: the engine is worth its start-up only once there is something to trim.
    const { describeVain, trimUnlessVain } = await import("../src/trim/vain.ts");
    const [given] = args.positionals;
    const own = textOf(payload, "transcript_path");
    if (given === undefined && (own === undefined || !existsSync(own))) {
      return "Nothing to trim yet: this session has no messages";
    }
    const cwd = textOf(payload, "cwd") ?? Deno.cwd();
    const configDir = findConfigDir();
    const session = findSession(given ?? own, { configDir, cwd });
    const projectDir = findProjectDir({ cwd, startedIn: readStartedIn(session.path) });
    const { config, notice } = await hookConfig({ projectDir, configDir });
    const owner = { projectDir, configDir, sessionId: session.id };
    const state = readSessionState(owner);
    const result = trimUnlessVain({
      session,
      gauge: gaugeSession({ transcript: session.path, owner, config: config.context }),
      ...trimSettings(args, config.context),
    });
    const note = notice === null ? "" : `\n${notice}`;
    if (result.output !== null) noteTrim(projectDir, result);
    if (result.dry_run) {
      const known = { config: config.context, state };
      await noteDryRun({ session, projectDir }, known, result.tokens.before);
    }
    if (flagOf(args, "json")) return JSON.stringify(result);
    return (result.output === null ? describeVain(result) : describeTrim(result)) + note;
  } catch (error) {
    const words = messageOf(error);
    return words.startsWith("Cannot ") ? words : `Cannot trim: ${words}`;
  }
}
