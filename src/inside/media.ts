/** Finds what rows cannot represent: images and documents, and blocks that a trim would lose. */

import type { JsonObject } from "../core/record.ts";
import { shortId } from "../core/marks.ts";
import {
  attachedMedia,
  blockParts,
  blocksOf,
  isMedia,
  mediaData,
  objectsOf,
} from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import { mediaLine, mediaTokens } from "../trim/media.ts";
import { partTokens } from "../trim/spans.ts";
import type { ApiMessage } from "./client.ts";
import { hiddenReminder } from "./reminders.ts";
import { isPrompt, type SessionLine, type SessionLines } from "./session_lines.ts";

export interface SessionMedia {
  readonly count: number;
  /** Number of images and documents in or after the newest prompt, which are still in use. */
  readonly inUse: number;
  /** Computed as the API bills images and documents. */
  readonly tokens: number;
  textsOf(block: JsonObject): string[];
}

const KEY_CHARS = 200;

export function readMedia(
  messages: readonly ApiMessage[],
  { before, live }: SessionLines,
  { id, model }: { readonly id: string; readonly model: string },
): SessionMedia {
  const blocks = messages.flatMap(({ content }) => content);
  const parentFile = shortId(id);
  const places = placesOf([...before, ...live]);
  const newestPromptLine = live.findLast(isPrompt)?.number ?? 0;
  const calls = new Map(
    blocks.filter(({ type }) => type === "tool_use").map((call) => [asString(call.id), call]),
  );
  const lineOf = (media: JsonObject, id?: string): number | undefined =>
    places.get(id ?? keyOf(media));
  const found = blocks.flatMap((block) =>
    mediaIn(block).map((media) => ({
      tokens: mediaTokens(media, model),
      line: lineOf(media, asString(block.tool_use_id)),
    }))
  );
  return {
    count: found.length,
    inUse: found.filter(({ line = Infinity }) => line >= newestPromptLine).length,
    tokens: found.reduce((sum, { tokens }) => sum + tokens, 0),
    textsOf: (block) => {
      const id = asString(block.tool_use_id);
      const { name, input } = calls.get(id) ?? {};
      return mediaIn(block).map((media) => {
        const lineNumber = lineOf(media, id);
        const place = lineNumber === undefined ? undefined : { parentFile, lineNumber };
        return hiddenReminder(mediaLine(media, { toolName: asString(name), input }, place));
      });
    },
  };
}

export function mediaIn(block: JsonObject): JsonObject[] {
  const { type, content } = block;
  return type === "tool_result" && Array.isArray(content)
    ? content.filter(isMedia)
    : [block].filter(isMedia);
}

export function blocksAndAttachedMedia(entry: Entry): JsonObject[] {
  return [...blocksOf(entry), ...attachedMedia(entry)];
}

/** Returns line numbers, keyed by call id for results, and by the data's length and start for prompts. */
function placesOf(lines: readonly SessionLine[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { number, entry } of lines) {
    for (const block of blocksAndAttachedMedia(entry)) {
      const id = asString(block.tool_use_id);
      for (const key of mediaIn(block).map((media) => id ?? keyOf(media))) {
        // If a picture occurs several times, the newest place counts, because it may be in use.
        places.set(key, number);
      }
    }
  }
  return places;
}

function keyOf(media: JsonObject): string {
  const data = mediaData(media);
  return `${data.length} ${data.slice(0, KEY_CHARS)}`;
}

export interface Losses {
  readonly thinking: number;
  /** Estimate before calibration. */
  readonly thinkingTokens: number;
  /** Tools that the model found by a search and must search for again. */
  readonly loadedTools: number;
  readonly lostTypes: readonly string[];
}

/** In the result of a tool search, a block of this type makes the found tool available to the model. */
const REFERENCE = "tool_reference";

const THINKING = /^(?:redacted_)?thinking$/;

/** Matches types of blocks that rows represent, or whose loss is counted separately. */
const KNOWN =
  /^(?:(?:redacted_)?thinking|tool_reference|text|tool_use|tool_result|image|document)$/;

/** Returns text for a result with tool references, because rows cannot represent the references. */
export function referenceText({ content }: JsonObject): string | undefined {
  const names = objectsOf(content).filter(({ type }) => type === REFERENCE)
    .map(({ tool_name: name }) => asString(name) ?? "");
  return names.length === 0 ? undefined : `Found ${names.join(", ")}: search again to load`;
}

export function countLosses(messages: readonly ApiMessage[]): Losses {
  const blocks = messages.flatMap(({ content }) => content).flatMap(withInnerBlocks);
  const thinking = blocks.filter(({ type }) => THINKING.test(`${type}`)).flatMap(blockParts);
  return {
    thinking: thinking.length,
    thinkingTokens: thinking.reduce((sum, part) => sum + partTokens(part), 0),
    loadedTools: blocks.filter(({ type }) => type === REFERENCE).length,
    lostTypes: [
      ...new Set(blocks.map(({ type }) => `${type}`).filter((type) => !KNOWN.test(type))),
    ],
  };
}

function withInnerBlocks(block: JsonObject): JsonObject[] {
  return [block, ...block.type === "tool_result" ? objectsOf(block.content) : []];
}
