import type { Random } from "./random.ts";
import { CARE_TARGETS } from "./target_care.ts";
import { FILE_TARGETS } from "./target_files.ts";
import { HOOK_TARGETS } from "./target_hooks.ts";
import { SESSION_TARGETS } from "./target_sessions.ts";
import type { Target } from "./target.ts";

export const TARGETS: readonly Target[] = [
  ...SESSION_TARGETS,
  ...HOOK_TARGETS,
  ...FILE_TARGETS,
  ...CARE_TARGETS,
];

export function pickTarget(random: Random): Target {
  let left = random.below(TARGETS.reduce((sum, { weight }) => sum + weight, 0));
  for (const target of TARGETS) {
    left -= target.weight;
    if (left < 0) return target;
  }
  throw new RangeError("Cannot pick a target: the list is empty");
}
