/**
 * What a trim goes by: options, then the configuration. The command and the `/trim` hook share it,
 * so nothing from npm may stand here.
 */

import { freedOf } from "../src/verbs/known_freed.ts";
import type { ContextConfig } from "../src/config/schema.ts";
import { isUsed } from "../src/store/paths.ts";
import type { SessionState } from "../src/store/state.ts";
import type { FoundSession } from "../src/transcript/find.ts";
import type { TrimSessionOptions } from "../src/trim/trim_session.ts";
import { styleOf } from "./trim_style.ts";
import { type Arguments, countOf, flagOf, listOf, textOf, UsageError } from "./spec.ts";

/** Puts together how to trim. */
export function trimSettings(
  args: Arguments,
  config: ContextConfig,
): Omit<TrimSessionOptions, "session"> {
  const inside = ["entries", "entry"].find((name) => args.values.has(name));
  if (inside !== undefined) {
    throw new UsageError(`Cannot run trim: --${inside} is for /trim where it works in place`);
  }
  const depth = textOf(args, "depth");
  const targetPercent = countOf(args, "target-percent");
  return {
    ...(depth === "deep" || depth === "light" ? { depth } : {}),
    style: styleOf(args),
    ...(targetPercent === undefined ? {} : { targetPercent }),
    ...flagsGiven(args),
    protect: listOf(args, "protect") ?? [],
    threshold: countOf(args, "threshold") ?? config.trim_threshold_chars,
    targetTools: listOf(args, "tool") ?? config.trim_target_tools,
    keepRecent: countOf(args, "keep-recent") ?? config.trim_keep_recent,
    explain: flagOf(args, "explain"),
    dryRun: flagOf(args, "dry-run"),
  };
}

/** Writes down what was found out, where trimtab keeps anything: then warnings can say it. */
export async function noteDryRun(
  { session, projectDir }: { readonly session: FoundSession; readonly projectDir: string },
  known: { readonly config: ContextConfig; readonly state: SessionState },
  tokens: number,
): Promise<void> {
  if (!isUsed(projectDir)) return;
  const owner = { projectDir, sessionId: session.id };
  await freedOf({ owner, transcript: session.path, tokens, ...known });
}

/** A switch that is not given is left to the depth. */
function flagsGiven(args: Arguments): Partial<TrimSessionOptions> {
  return {
    ...(flagOf(args, "mask-all-tools") ? { maskAllTools: true } : {}),
    ...(flagOf(args, "cut-inputs") ? { cutInputs: true } : {}),
    ...(flagOf(args, "drop-images") ? { dropImages: true } : {}),
    ...(flagOf(args, "drop-thinking") ? { dropThinking: true } : {}),
    ...(flagOf(args, "mirrors") ? { mirrors: true } : {}),
  };
}
