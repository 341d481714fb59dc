import {
  ContextManagementOrchestrator,
  type ContextSkillAction,
  type ContextSkillArgs,
  type ContextSkillResults,
  type OrchestratorOptions,
} from "./orchestrator.ts";

/**
 * Runs one of the four actions on a session's context.
 *
 * Permissions: those of {@linkcode ContextManagementOrchestrator.handleAction}.
 *
 * @param action One of `status`, `snapshot`, `rehydrate` and `list`.
 * @param args The arguments of the action.
 * @param options The project, the folder of its snapshots, the clock and the session.
 * @returns The result of the action: an object, or the text of `rehydrate`.
 * @throws {RangeError} When there is no such action; the message names the four.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { contextManagementSkill } from "./context_management_skill.ts";
 *
 * const { usage } = contextManagementSkill("status", { current_tokens: 45_000 });
 * assertEquals(usage.percentage, 4.5);
 * assertEquals(usage.recommendation, "Context is healthy. No action needed.");
 * ```
 */
export function contextManagementSkill<Action extends ContextSkillAction>(
  action: Action,
  args: ContextSkillArgs = {},
  options: OrchestratorOptions = {},
): ContextSkillResults[Action] {
  return new ContextManagementOrchestrator(options).handleAction(action, args);
}
