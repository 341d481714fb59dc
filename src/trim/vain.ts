/** A trim that would free next to nothing writes no copy, and says what would help instead. */

import { grouped } from "../inject/bound.ts";
import { insteadText, isVain } from "../pressure/advice.ts";
import { cutOffWords, whyNothing } from "./report_text.ts";
import {
  trimPlanned,
  trimSession,
  type TrimSessionOptions,
  type TrimSessionResult,
} from "./trim_session.ts";

/** A trim that was not made, because it would have freed next to nothing. */
export interface VainTrim
  extends Omit<TrimSessionResult, "session_id" | "output" | "resume_command"> {
  session_id: null;
  output: null;
  resume_command: null;
  /** What would free more, in tokens. */
  instead: { deep: number; newest: number };
}

class VainError extends Error {}

export function trimUnlessVain(options: TrimSessionOptions): TrimSessionResult | VainTrim {
  // Mirrors are cut for the disk's sake, and a dry run writes nothing anyway.
  if (options.dryRun === true || options.mirrors === true) return trimSession(options);
  try {
    return trimPlanned({
      ...options,
      onPlan: (_context, { tokens }) => {
        if (isVain(tokens)) throw new VainError();
      },
    });
  } catch (error) {
    if (!(error instanceof VainError)) throw error;
    return vainTrim(options);
  }
}

export function describeVain(vain: VainTrim): string {
  const { tokens, instead } = vain;
  const why = whyNothing(vain);
  return [
    `No copy was made: it would free ${grouped(Math.max(0, tokens.before - tokens.after))} of ` +
    `${grouped(tokens.before)} tokens.`,
    ...(vain.is_cut_off ? [cutOffWords(vain.parent_session_id, vain.is_start_missing)] : []),
    ...(why === undefined ? [] : [why]),
    ...(vain.is_cut_off && !vain.is_start_missing
      ? []
      : [insteadText({ ...instead, percent: vain.percent.before })]),
  ].join("\n");
}

function vainTrim(options: TrimSessionOptions): VainTrim {
  const dry = trimSession({ ...options, dryRun: true });
  const freedBy = (more: Partial<TrimSessionOptions>): number => {
    const { tokens } = trimSession({ ...options, ...more, dryRun: true });
    const freed = dry.tokens.after - tokens.after;
    return isVain({ before: tokens.before, after: tokens.before - freed }) ? 0 : freed;
  };
  return {
    ...dry,
    session_id: null,
    output: null,
    resume_command: null,
    instead: {
      deep: options.depth === "deep" ? 0 : freedBy({ depth: "deep" }),
      newest: options.keepRecent === 0 ? 0 : freedBy({ keepRecent: 0 }),
    },
  };
}
