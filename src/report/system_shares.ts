/** Estimates tokens of the system prompt and tools from a line that Claude Code 2.1.330 writes. */

import { isObject, parseObject } from "../core/record.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { asString } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import {
  type ContentGroup,
  type ContentShare,
  type ContextContents,
  joinSmallest,
  KIND_NAMES,
  sumOf,
} from "./contents.ts";

export const SHAPE_TYPE = "api-request-shape";

/** Real sessions had lines of 80,000 bytes, far below this limit. */
const MAX_SHAPE_BYTES = 8_000_000;

const MAX_SERVERS = 10;

/** Captures the server in the name of an MCP tool, such as `github` in `mcp__github__search`. */
const SERVER_OF_TOOL = /^mcp__(.+?)__/;

/** Returns an empty list if the line is too long or has a different format. */
export function systemShares(line: Uint8Array): readonly ContentShare[] {
  if (line.length > MAX_SHAPE_BYTES) return [];
  const shape = parseObject(new TextDecoder().decode(line))?.shape;
  if (!isObject(shape)) return [];
  const { system, tools } = shape;
  const texts = typeof system === "string" ? [system] : list(system).map(({ text }) => text);
  const toolsByServer = Map.groupBy(list(tools), ({ name }) => serverOf(name));
  const builtIn = toolsByServer.get(undefined) ?? [];
  toolsByServer.delete(undefined);
  const servers = [...toolsByServer].map(([server = "", all]) =>
    shareOf(`MCP server ${server}`, all.map((tool) => JSON.stringify(tool)))
  );
  return [
    shareOf("System prompt", texts.map((text) => asString(text) ?? "")),
    shareOf("Tools", builtIn.map((tool) => JSON.stringify(tool))),
    ...joinSmallest(servers, MAX_SERVERS, "MCP servers"),
  ].filter(({ count }) => count > 0);
}

export function withSystemShares(
  contents: ContextContents,
  shares: readonly ContentShare[],
): ContextContents {
  const { tokens, count } = sumOf(shares);
  if (tokens === 0) return contents;
  const groups = contents.groups.map((group): ContentGroup =>
    group.kind === "system" && group.name === KIND_NAMES.system
      ? { ...group, count, parts: partsOf(shares, group.tokens / tokens) }
      : group
  );
  return { ...contents, groups };
}

/** Rounds running totals, so that the shares add up to the group's tokens. */
function partsOf(shares: readonly ContentShare[], scale: number): ContentShare[] {
  let [before, rounded] = [0, 0];
  return shares.map((share): ContentShare => {
    before += share.tokens * scale;
    const tokens = Math.round(before) - rounded;
    rounded += tokens;
    return { ...share, tokens };
  }).sort((a, b) => b.tokens - a.tokens);
}

function shareOf(name: string, texts: readonly string[]): ContentShare {
  const tokens = texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
  return { name, count: texts.length, tokens };
}

function serverOf(name: unknown): string | undefined {
  const server = SERVER_OF_TOOL.exec(asString(name) ?? "")?.[1];
  return server === undefined ? undefined : excerptLine(server, 60);
}

function list(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
