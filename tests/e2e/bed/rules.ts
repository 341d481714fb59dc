/** The rules of the Messages API that a rewritten transcript can break. */

import { readImageInfo } from "./image.ts";
import { signatureProblem } from "./signature.ts";
import { blocksOf, mergedMessages, type WireBlock, type WireRequest } from "./wire.ts";

/** An image with a side longer than this, in pixels, is refused. */
const IMAGE_MAX_PIXELS = 8000;
/** If a request has this many pictures or more, {@link MANY_IMAGES_MAX_PIXELS} applies. */
const MANY_IMAGES = 21;
const MANY_IMAGES_MAX_PIXELS = 2000;

/** For models since Sonnet 5, the client sends its own text between turns in messages of role `system`. */
const ROLES = ["user", "assistant", "system"];

type MergedMessages = ReturnType<typeof mergedMessages>;

export function requestProblem(raw: Uint8Array): string | null {
  let body: WireRequest;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch (error) {
    return `The request body is not valid JSON: ${error instanceof Error ? error.message : error}`;
  }
  return surrogateProblem(body, "body") ?? shapeProblem(body) ??
    messagesProblem(mergedMessages(body.messages)) ?? cacheProblem(body);
}

/** `JSON.parse` accepts half a surrogate pair such as `\ud83d`; the real API rejects it. */
function surrogateProblem(value: unknown, path: string): string | null {
  if (typeof value === "string") {
    return value.isWellFormed()
      ? null
      : `The request body is not valid JSON: no low surrogate in string: ${path}`;
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    const problem = surrogateProblem(key, path) ?? surrogateProblem(child, `${path}.${key}`);
    if (problem !== null) return problem;
  }
  return null;
}

function shapeProblem(body: WireRequest): string | null {
  if (!Array.isArray(body.messages)) return "messages: Field required";
  if (body.messages.length === 0) return "messages: at least one message is required";
  for (const [index, message] of body.messages.entries()) {
    const path = `messages.${index}`;
    if (!ROLES.includes(message.role)) {
      return `${path}.role: Input should be ${ROLES.map((role) => `'${role}'`).join(" or ")}`;
    }
    if (typeof message.content !== "string" && !Array.isArray(message.content)) {
      return `${path}.content: Input should be a valid list`;
    }
    if (
      message.role === "system" && blocksOf(message.content).some(({ type }) => type !== "text")
    ) {
      return `${path}: system messages must contain only text`;
    }
    if (message.content.length === 0) return `${path}: all messages must have non-empty content`;
  }
  if (body.messages[0]?.role !== "user") return "messages: first message must use the user role";
  return blocksOf(body.system).some((block) => block.text === "")
    ? "system: text content blocks must be non-empty"
    : null;
}

function messagesProblem(messages: MergedMessages): string | null {
  const problems = messages.map((message, index) =>
    firstProblem(message.content, (block, path) => blockProblem(block, `messages.${index}.${path}`))
  );
  return problems.find((problem) => problem !== null) ?? pairProblem(messages) ??
    imagesProblem(messages);
}

function firstProblem(
  blocks: WireBlock[],
  check: (block: WireBlock, path: string) => string | null,
): string | null {
  for (const [index, block] of blocks.entries()) {
    const problem = check(block, `content.${index}`);
    if (problem !== null) return problem;
  }
  return null;
}

function blockProblem(block: WireBlock, path: string): string | null {
  switch (block.type) {
    case "text":
      return textProblem(block, path);
    case "thinking": {
      const problem = signatureProblem(block.thinking ?? "", block.signature ?? "");
      return problem === null ? null : `${path}: ${problem}`;
    }
    case "tool_use":
      if (typeof block.input !== "object" || block.input === null || Array.isArray(block.input)) {
        return `${path}.tool_use.input: Input should be a valid dictionary`;
      }
      return /^[A-Za-z0-9_-]+$/.test(block.id ?? "")
        ? null
        : `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    case "tool_result":
      if (!isContent(block.content)) {
        return `${path}.tool_result.content: Input should be a valid list`;
      }
      return firstProblem(
        Array.isArray(block.content) ? block.content : [],
        (child, childAt) => blockProblem(child, `${path}.tool_result.${childAt}`),
      );
    default:
      return null;
  }
}

function isContent(content: unknown): boolean {
  return content === undefined || typeof content === "string" || Array.isArray(content);
}

function textProblem(block: WireBlock, path: string): string | null {
  if (typeof block.text !== "string") return `${path}.text.text: Field required`;
  if (block.text === "") return `${path}: text content blocks must be non-empty`;
  return block.text.trim() === ""
    ? `${path}: text content blocks must contain non-whitespace text`
    : null;
}

/**
 * Requires a unique id for every `tool_use`, and exactly one result for it in the next message. That message
 * must have no other results, and its results must come before all other blocks.
 */
function pairProblem(messages: MergedMessages): string | null {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const calls = idsOf(message.content, "tool_use");
    for (const id of calls) {
      if (seen.has(id)) return `messages.${index}: \`tool_use\` ids must be unique: ${id}`;
      seen.add(id);
    }
    const answers = idsOf(messages[index + 1]?.content ?? [], "tool_result");
    const missing = calls.filter((id) => !answers.includes(id));
    if (missing.length > 0) {
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks ` +
        `immediately after: ${missing.join(", ")}`;
    }
    const wanted = idsOf(messages[index - 1]?.content ?? [], "tool_use");
    const given = idsOf(message.content, "tool_result");
    const extraIds = given.filter((id) => !wanted.includes(id));
    if (extraIds.length > 0) {
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ` +
        `${extraIds.join(", ")}: each must have a \`tool_use\` block in the previous message`;
    }
    if (new Set(given).size < given.length) {
      return `messages.${index}: each tool_use must have a single result`;
    }
    const firstOther = message.content.findIndex((block) => block.type !== "tool_result");
    const lastResult = message.content.findLastIndex((block) => block.type === "tool_result");
    if (firstOther !== -1 && firstOther < lastResult) {
      return `messages.${index}: \`tool_result\` blocks must come before any other block`;
    }
  }
  return null;
}

function idsOf(blocks: WireBlock[], type: "tool_use" | "tool_result"): string[] {
  return blocks.filter((block) => block.type === type)
    .map((block) => (type === "tool_use" ? block.id : block.tool_use_id) ?? "");
}

function imagesProblem(messages: MergedMessages): string | null {
  const images = messages.flatMap((message) => message.content)
    .flatMap((block) => block.type === "tool_result" ? blocksOf(block.content) : [block])
    .filter((block) => block.type === "image");
  const limit = images.length >= MANY_IMAGES ? MANY_IMAGES_MAX_PIXELS : IMAGE_MAX_PIXELS;
  for (const [index, image] of images.entries()) {
    const problem = imageProblem(image, limit);
    if (problem !== null) return `image ${index + 1} of ${images.length}: ${problem}`;
  }
  return null;
}

function imageProblem(image: WireBlock, limit: number): string | null {
  if (image.source?.type !== "base64") return null;
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(image.source.data ?? "");
  } catch {
    return "invalid base64 data";
  }
  const info = readImageInfo(bytes);
  if (info === null) return "Could not process image";
  if (info.mediaType !== image.source.media_type) {
    return `the image was specified as ${image.source.media_type}, but it is ${info.mediaType}`;
  }
  return Math.max(info.width, info.height) > limit
    ? `image dimensions exceed the maximum of ${limit} pixels: ${info.width} by ${info.height}`
    : null;
}

function cacheProblem(body: WireRequest): string | null {
  const blocks = [...blocksOf(body.system), ...body.messages.flatMap((m) => blocksOf(m.content))];
  const markedCount = blocks.filter((block) => block.cache_control !== undefined).length;
  return markedCount > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${markedCount}.`
    : null;
}
