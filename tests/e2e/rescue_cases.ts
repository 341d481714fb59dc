/** Broken sessions, one for each kind of damage, and how Claude Code 2.1.197 handled each. */

import type { RescueKind } from "../../src/doctor/repair/finding.ts";
import { signThinking } from "./bed/signature.ts";
import { answer, assistant, by, exchanges, type Line, result, use, user } from "./golden/lines.ts";

export interface BrokenSession {
  name: string;
  /** All kinds that a rescue must find, sorted. */
  kinds: RescueKind[];
  /** The last exchange is left out, since every session has it. */
  lines: Line[];
  /** The parent of the last exchange. @default "a2" */
  end?: string;
  finish?: (text: string) => string;
  /**
   * The outcome without a rescue: the client ends without a request (`client`), the API refuses the
   * request (`api`), or some text is not sent (`loses`).
   */
  before: { client: RegExp } | { api: RegExp } | { loses: string };
  /** Strings that reach the model after the rescue, in addition to all questions and answers. */
  after?: string[];
}

/** A picture, as base64, that the API rejects in a request with many pictures. */
const LARGE_GIF = btoa("GIF89a\x60\x09\x10\x00" + "\x00".repeat(20));

function image(data: string): Record<string, unknown> {
  return { type: "image", source: { type: "base64", media_type: "image/gif", data } };
}

/** Returns two exchanges; the given lines replace the second. */
function withSecondExchange(...lines: Line[]): Line[] {
  return [...exchanges(1), ...lines];
}

/** Returns two exchanges; the second has a tool call before its answer. */
function withCall(call: Record<string, unknown>, content?: unknown): Line[] {
  return withSecondExchange(
    user("u2", "a1", "question 2"),
    assistant("c", "u2", [call]),
    user("r", "c", [answer(String(call.id), content)]),
    assistant("a2", "r", "answer 2"),
  );
}

function withThinking(block: Record<string, unknown>): Line[] {
  const blocks = [block, { type: "text", text: "answer 2" }];
  return withSecondExchange(user("u2", "a1", "question 2"), assistant("a2", "u2", blocks));
}

function withContent(content: unknown): Line[] {
  return withSecondExchange(user("u2", "a1", content), assistant("a2", "u2", "answer 2"));
}

function refusal(uuid: string, parentUuid: string, text: string): Line {
  const line = assistant(uuid, parentUuid, `API Error: 400 ${text}`);
  return by("<synthetic>", { ...line, isApiErrorMessage: true });
}

export const BROKEN_SESSIONS: BrokenSession[] = [
  {
    name: "a line that is null",
    kinds: ["torn_line"],
    lines: [...exchanges(2), "null"],
    before: { client: /null is not an object/ },
  },
  {
    name: "a call whose id contains a dot",
    kinds: ["tool_call", "tool_call"],
    lines: withCall(use("A.1")),
    before: { api: /tool_use\.id: String should match pattern/ },
    after: ["result of A.1"],
  },
  {
    name: "an image whose data is cut off",
    kinds: ["image"],
    lines: withContent([image(LARGE_GIF.slice(0, 13)), { type: "text", text: "question 2" }]),
    before: { api: /invalid base64 data/ },
    after: ["[An image was removed: its data is not valid base64]"],
  },
  {
    // The client retries without any image, and does not tell the model about it.
    name: "many images that are wider than 2000 pixels",
    kinds: Array<RescueKind>(21).fill("image"),
    lines: withContent([
      ...Array<unknown>(21).fill(image(LARGE_GIF)),
      { type: "text", text: "question 2" },
    ]),
    before: { api: /image dimensions exceed the maximum of 2000 pixels/ },
    after: ["[An image was removed: 2400 by 16 pixels, over 2000]"],
  },
  {
    name: "thinking without a signature",
    kinds: ["thinking"],
    lines: withThinking({ type: "thinking", thinking: "a thought" }),
    before: { api: /signature: Field required/ },
  },
  {
    // The tested client retries without thinking every time; earlier clients did not.
    name: "empty thinking with another block's signature, which the API has refused",
    kinds: ["thinking"],
    lines: [
      ...withThinking({ type: "thinking", thinking: "", signature: signThinking("a thought") }),
      refusal("x", "a2", "messages.3.content.0: Invalid `signature` in `thinking` block"),
    ],
    end: "x",
    before: { api: /Invalid `signature` in `thinking` block/ },
  },
  {
    name: "a torn line to which the next line was appended",
    kinds: ["torn_line"],
    lines: [...exchanges(2), assistant("x", "a2", "torn off")],
    finish: (text) => text.replace(/torn off.*\n/, "torn"),
    before: { loses: "question z" },
  },
  {
    name: "two entries on one line",
    kinds: ["concatenated"],
    lines: exchanges(2),
    finish: (text) => text.replace(/\n(.*question z)/, "$1"),
    before: { loses: "question z" },
  },
  {
    name: "a line that starts with NUL bytes",
    kinds: ["nul_padding"],
    lines: exchanges(2),
    finish: (text) => text.replace(/\n(.*question z)/, `\n${"\0".repeat(512)}$1`),
    before: { loses: "question z" },
  },
];

/**
 * A session with all kinds of damage that the client handles by itself: it reads halves of
 * surrogate pairs as U+FFFD, skips results without calls and calls without results, and uses the
 * time of lines whose parents do not lead to a root.
 */
export const TOLERATED: { kinds: RescueKind[]; lines: Line[] } = {
  kinds: ["loop", "missing_parent", "self_parent"],
  lines: [
    ...exchanges(2),
    user("u3", "gone", "question 3, cut \ud83d"),
    assistant("a3", "u3", "answer 3"),
    user("u4", "u4", "question 4"),
    assistant("a4", "u4", [{ type: "text", text: "answer 4" }, use("no-result")]),
    result("no-call", "a4"),
    user("u5", "az", "question 5"),
    assistant("a5", "u5", "answer 5"),
  ],
};
