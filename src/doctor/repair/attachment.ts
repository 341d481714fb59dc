/** Finds attachments that make Claude Code 2.1.197 exit because a field is missing or has the wrong type. */

import { isObject } from "../../core/record.ts";

type Shape = "list" | "list of objects" | "object" | "text";

const REQUIRED: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  agent_listing_delta: { addedLines: "list" },
  async_hook_response: { response: "object" },
  deferred_tools_delta: { addedLines: "list" },
  diagnostics: { files: "list of objects" },
  file: { content: "object" },
  hook_additional_context: { content: "list" },
  hook_blocking_error: { blockingError: "object" },
  invoked_skills: { skills: "list of objects" },
  mcp_instructions_delta: { removedNames: "list" },
  nested_memory: { content: "object" },
  relevant_memories: { memories: "list of objects" },
  selected_lines_in_ide: { content: "text" },
  task_reminder: { content: "list of objects" },
  todo_reminder: { content: "list of objects" },
};

const SHAPES: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  list: Array.isArray,
  "list of objects": (value) => Array.isArray(value) && value.every(isObject),
  object: isObject,
  text: (value) => typeof value === "string",
};

export function attachmentProblem(attachment: unknown): string | undefined {
  if (!isObject(attachment)) return "an attachment that is not an object";
  const { type } = attachment;
  if (typeof type !== "string" || !Object.hasOwn(REQUIRED, type)) return undefined;
  const wrong = Object.entries(REQUIRED[type] ?? {})
    .find(([field, shape]) => !SHAPES[shape](attachment[field]));
  return wrong === undefined ? undefined : `${type} without a ${wrong[1]} ${wrong[0]}`;
}
