/** A trim that would free next to nothing writes no copy, and says what would help instead. */

import { isVain } from "../pressure/advice.ts";
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
  if (options.dryRun === true) return trimSession(options);
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
