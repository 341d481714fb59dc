/** Estimates tokens of the system prompt and tools from a line that Claude Code 2.1.330 writes. */

import { isObject } from "../core/record.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { asString, parseObject } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import {
  type ContentGroup,
  type ContentShare,
  type ContextContents,
  joinRest,
  KIND_NAMES,
} from "./contents.ts";

export const SHAPE_TYPE = "api-request-shape";

/** Real sessions had lines of 80,000 bytes, far below this limit. */
const MAX_SHAPE_BYTES = 8_000_000;

const MAX_SERVERS = 10;

/** Captures the server in the name of an MCP tool, such as `github` in `mcp__github__search`. */
const SERVER_OF_TOOL = /^mcp__(.+?)__/;

/** A part of the content before the conversation. */
export interface SystemShare {
  /** `System prompt`, `Tools` for the client's own tools, or the MCP server of the tools. */
  readonly name: string;
  /** Number of text blocks or tools. */
  readonly count: number;
  /** Estimated tokens, before calibration. */
  readonly prior: number;
}

/** Returns an empty list if the line has another form. */
export function systemShares(line: Uint8Array): readonly SystemShare[] {
  if (line.length > MAX_SHAPE_BYTES) return [];
  const shape = parseObject(new TextDecoder().decode(line))?.shape;
  if (!isObject(shape)) return [];
  const { system, tools } = shape;
  const texts = typeof system === "string" ? [system] : list(system).map(({ text }) => text);
  const builtIn = list(tools).filter(({ name }) => serverOf(name) === undefined);
  const servers = Map.groupBy(list(tools), ({ name }) => serverOf(name));
  servers.delete(undefined);
  return [
    shareOf("System prompt", texts.map((text) => asString(text) ?? "")),
    shareOf("Tools", builtIn.map((tool) => JSON.stringify(tool))),
    ...joinSmallest(
      [...servers].map(([server = "", all]) =>
        shareOf(`MCP server ${server}`, all.map((tool) => JSON.stringify(tool)))
      ),
    ),
  ].filter(({ count }) => count > 0);
}

/** Splits the system group in proportion to the estimates. */
export function withSystemShares(
  contents: ContextContents,
  shares: readonly SystemShare[],
): ContextContents {
  const whole = priorOf(shares);
  if (whole === 0) return contents;
  const groups = contents.groups.map((group): ContentGroup =>
    group.kind === "system" && group.name === KIND_NAMES.system
      ? { ...group, count: countOf(shares), parts: partsOf(shares, group.tokens / whole) }
      : group
  );
  return { ...contents, groups };
}

/** Rounds running totals, so that the shares add up to the group's tokens. */
function partsOf(shares: readonly SystemShare[], scale: number): ContentShare[] {
  let [before, rounded] = [0, 0];
  return shares.map(({ name, count, prior }): ContentShare => {
    before += prior * scale;
    const tokens = Math.round(before) - rounded;
    rounded += tokens;
    return { name, count, tokens };
  }).sort((a, b) => b.tokens - a.tokens);
}

function countOf(shares: readonly { readonly count: number }[]): number {
  return shares.reduce((sum, { count }) => sum + count, 0);
}

function priorOf(shares: readonly SystemShare[]): number {
  return shares.reduce((sum, { prior }) => sum + prior, 0);
}

function shareOf(name: string, texts: readonly string[]): SystemShare {
  const prior = texts.reduce((sum, text) => sum + estimateTextTokens(text), 0);
  return { name, count: texts.length, prior };
}

function serverOf(name: unknown): string | undefined {
  const server = SERVER_OF_TOOL.exec(asString(name) ?? "")?.[1];
  return server === undefined ? undefined : excerptLine(server, 60);
}

function list(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function joinSmallest(servers: readonly SystemShare[]): readonly SystemShare[] {
  return joinRest(servers.toSorted((a, b) => b.prior - a.prior), MAX_SERVERS, (rest) => ({
    name: `${rest.length} other MCP servers`,
    count: countOf(rest),
    prior: priorOf(rest),
  }));
}
