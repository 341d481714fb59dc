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

const MAX_SERVERS = 10;

/** Captures the server in the name of an MCP tool, such as `github` in `mcp__github__search`. */
const SERVER_OF_TOOL = /^mcp__(.+?)__/;

/** Returns an empty list if the line has a different format. */
export function systemShares(line: Uint8Array): readonly ContentShare[] {
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
  const groups = contents.groups.map((group): ContentGroup => {
    if (group.kind !== "system" || group.name !== KIND_NAMES.system) return group;
    const scale = group.tokens / tokens;
    const parts = shares.map((one) => ({ ...one, tokens: Math.round(one.tokens * scale) }))
      .sort((a, b) => b.tokens - a.tokens);
    return { ...group, count, parts };
  });
  return { ...contents, groups };
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
