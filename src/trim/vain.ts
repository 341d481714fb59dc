/** A trim that would free next to nothing writes no copy, and says what would help instead. */

import { grouped } from "../inject/bound.ts";
import { cutOffWords, reasonsForLittle } from "./report_text.ts";
import { trimSession, type TrimSessionOptions, type TrimSessionResult } from "./trim_session.ts";

/** Under this share of the context, in percent, a copy is not worth another session. */
const VAIN_PERCENT = 2;

/** A trim that was not made, because it would have freed next to nothing. */
export interface VainTrim
  extends Omit<TrimSessionResult, "session_id" | "output" | "resume_command"> {
  /** There is no copy. */
  session_id: null;
  /** There is no copy. */
  output: null;
  /** There is no copy. */
  resume_command: null;
  /** What would free more, in tokens. */
  instead: { deep: number; newest: number };
}

/** Stops a trim before anything is written. */
class VainError extends Error {}

/** Trims a session, unless that would free next to nothing. */
export function trimUnlessVain(options: TrimSessionOptions): TrimSessionResult | VainTrim {
  // Mirrors are cut for the disk's sake, and a dry run writes nothing anyway.
  if (options.dryRun === true || options.mirrors === true) return trimSession(options);
  try {
    return trimSession({
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

/** Says why there is no copy, for a person. */
export function describeVain(vain: VainTrim): string {
  const { tokens, instead } = vain;
  const more = [
    ...(instead.deep === 0 ? [] : [`--depth deep frees ${grouped(instead.deep)} tokens`]),
    ...(instead.newest === 0
      ? []
      : [`the newest outputs hold ${grouped(instead.newest)} (--keep-recent 0)`]),
  ];
  return [
    `No copy was made: it would free ${grouped(Math.max(0, tokens.before - tokens.after))} of ` +
    `${grouped(tokens.before)} tokens.`,
    ...(vain.is_cut_off ? [cutOffWords(vain.parent_session_id)] : []),
    ...reasonsForLittle(vain),
    ...(more.length === 0 ? [] : [`What would help: ${more.join("; ")}`]),
  ].join("\n");
}

function isVain({ before, after }: { before: number; after: number }): boolean {
  return (before - after) * 100 < VAIN_PERCENT * before || before === 0;
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
