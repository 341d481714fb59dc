/** Renders a hook's output: the text for the screen and for the model's context. */

import { boundText } from "./bound.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { buildContext, type ContextPart } from "./context.ts";

export const MAX_MESSAGE_CHARS = 2_000;
const MAX_TITLE_CHARS = 100;

interface HookTexts {
  readonly event: string;
  readonly context?: readonly ContextPart[];
  readonly message?: string;
  /** Only for the start of a session. */
  readonly title?: string;
}

export function hookOutput(texts: HookTexts): string {
  const message = boundText(cleanText(texts.message ?? ""), MAX_MESSAGE_CHARS);
  const context = buildContext(texts.context ?? []);
  const title = boundText(cleanLine(texts.title ?? ""), MAX_TITLE_CHARS);
  if (message + context + title === "") return "";
  const specific = {
    hookEventName: texts.event,
    additionalContext: context || undefined,
    sessionTitle: title || undefined,
  };
  // Leaves out the fields that are undefined.
  const output = JSON.stringify({
    systemMessage: message || undefined,
    hookSpecificOutput: context + title === "" ? undefined : specific,
  });
  return `${output}\n`;
}

export function withMessage(event: string, earlier: string, message: string): string {
  if (earlier === "") return hookOutput({ event, message });
  const output = JSON.parse(earlier);
  const { systemMessage: before } = output;
  const both = typeof before === "string" ? `${before.trimEnd()}\n${message}` : message;
  return `${JSON.stringify({ ...output, systemMessage: cleanText(both) })}\n`;
}
