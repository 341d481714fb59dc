// Builds session entries for tests of the collectors.

import { type NumberedEntry, viewEntry } from "../../src/transcript/entry.ts";

export type Fields = { readonly [key: string]: unknown };

let ids = 0;

export function numbered(...entries: readonly (Fields | readonly Fields[])[]): NumberedEntry[] {
  return entries.flat().map((raw, index) => ({
    entry: viewEntry({ uuid: `u${index + 1}`, ...raw }),
    line: index + 1,
  }));
}

export function prompt(content: unknown, more: Fields = {}): Fields {
  return { type: "user", message: { role: "user", content }, ...more };
}

export function said(text: string, more: Fields = {}): Fields {
  return {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text }] },
    ...more,
  };
}

export interface CallOutcome {
  readonly result?: string;
  readonly isError?: boolean;
  /** The client's `toolUseResult`. */
  readonly mirror?: unknown;
  readonly more?: Fields;
}

export function call(name: string, input: Fields, outcome: CallOutcome = {}): Fields[] {
  const { result = "done", isError = false, mirror, more = {} } = outcome;
  const id = `call-${ids++}`;
  const use = { type: "tool_use", id, name, input };
  const answer = {
    type: "tool_result",
    tool_use_id: id,
    content: result,
    ...(isError ? { is_error: true } : {}),
  };
  return [
    { type: "assistant", message: { role: "assistant", content: [use] }, ...more },
    {
      type: "user",
      message: { role: "user", content: [answer] },
      ...(mirror === undefined ? {} : { toolUseResult: mirror }),
      ...more,
    },
  ];
}
