/**
 * Restores parallel calls and their results that are not on the chain, as Claude Code 2.1.197 and 2.1.330 do.
 * Each result is a child of its own call, and the chain continues from only one of the results.
 */

import type { Conversation } from "./conversation.ts";
import { isUserOrModel, type TreeNode } from "./tree.ts";

/** Lines from the client and its hooks, keyed by parent. */
export class ClientLines {
  readonly #conversation: Conversation;
  readonly #children: ReadonlyMap<string | null, readonly TreeNode[]>;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    const clientLines = conversation.remainingNodes().filter((node) => !isUserOrModel(node));
    this.#children = Map.groupBy(clientLines, (node) => conversation.linkOf(node));
  }

  descendantsOf(node: TreeNode): TreeNode[] {
    // The set grows while it is iterated.
    const found = new Set([node]);
    for (const parent of found) {
      for (const child of this.#children.get(parent.uuid) ?? []) found.add(child);
    }
    found.delete(node);
    return [...found].sort((a, b) => a.firstOffset - b.firstOffset);
  }

  /** Returns the id of the nearest ancestor that is missing, or that the user or the model wrote. */
  messageAbove(node: TreeNode): string | null {
    const seen = new Set<string>();
    let link = this.#conversation.linkOf(node);
    while (link !== null && !seen.has(link)) {
      seen.add(link);
      const above = this.#conversation.nodes.get(link);
      if (above === undefined || isUserOrModel(above)) return link;
      link = this.#conversation.linkOf(above);
    }
    return null;
  }
}

interface MissingLines {
  lines: TreeNode[];
  results: { node: TreeNode; call: TreeNode }[];
}

/** Inserts missing lines and results after a message's last line, as older clients do. */
export function restoreResults(conversation: Conversation, chain: readonly TreeNode[]): TreeNode[] {
  const lastOfMessage = lastLineByMessage(chain);
  const missing = findMissing(conversation, new Set(chain), lastOfMessage);
  return chain.flatMap((node) => {
    const found = missingOf(node, missing, lastOfMessage);
    if (found === undefined) return [node];
    const results = found.results.sort((a, b) =>
      byTime(a.node, b.node) || byOffset(a.call, b.call) || byOffset(a.node, b.node)
    );
    const lines = found.lines.sort((a, b) => byTime(a, b) || byOffset(a, b));
    return [node, ...lines, ...results.map((result) => result.node)];
  });
}

/**
 * Like {@linkcode restoreResults}, but also restores the lines that the client or its hooks added to calls
 * and results, and moves all results of a message after its lines, as newer clients do.
 */
export function restoreAll(
  conversation: Conversation,
  chain: readonly TreeNode[],
  clientLines: ClientLines,
): TreeNode[] {
  const lastOfMessage = lastLineByMessage(chain);
  const placed = new Set(chain);
  const missing = findMissing(conversation, placed, lastOfMessage, clientLines);
  function takeDescendants(node: TreeNode): TreeNode[] {
    const found = clientLines.descendantsOf(node).filter((line) => !placed.has(line));
    for (const line of found) placed.add(line);
    return found;
  }
  const sent: TreeNode[] = [];
  for (let i = 0; i < chain.length;) {
    const part = messageGroupAt(chain, i);
    i += part.length;
    const [first] = part;
    if (first?.messageId === undefined) {
      sent.push(...part, ...part.filter((line) => line.hasToolResult).flatMap(takeDescendants));
      continue;
    }
    const messageLines = part.filter((line) => line.messageId === first.messageId);
    const found = messageLines.flatMap((line) => missingOf(line, missing, lastOfMessage) ?? [])[0];
    const lines = withChildren(messageLines, found?.lines ?? [], conversation);
    const answers = part.filter((line) => !messageLines.includes(line));
    const start = answers.findIndex((line) => line.hasToolResult);
    const groups: TreeNode[][] = (found?.results ?? []).map((
      { node },
    ) => [node, ...takeDescendants(node)]);
    for (const line of start < 0 ? [] : answers.slice(start)) {
      if (line.hasToolResult) groups.push([line, ...takeDescendants(line)]);
      else groups.at(-1)?.push(line);
    }
    const calls = lines.filter((line) => line.hasToolCall);
    sent.push(
      ...lines,
      ...calls.flatMap(takeDescendants),
      ...answers.slice(0, start < 0 ? undefined : start),
    );
    sent.push(...groups.sort(([a], [b]) => byOffset(a, b)).flat());
  }
  return sent;
}

/**
 * For a line of an assistant message, returns the lines of the message, with the results and client lines
 * between and after them. For any other line, returns only that line.
 */
function messageGroupAt(chain: readonly TreeNode[], index: number): readonly TreeNode[] {
  const messageId = chain[index]?.messageId;
  let end = index + 1;
  for (; messageId !== undefined && end < chain.length; end++) {
    const node = chain[end];
    if (node === undefined || node.boundary !== undefined) break;
    if (isUserOrModel(node) && !node.hasToolResult && node.messageId !== messageId) break;
  }
  return chain.slice(index, end);
}

function withChildren(
  messageLines: readonly TreeNode[],
  missing: readonly TreeNode[],
  conversation: Conversation,
): TreeNode[] {
  const lines = [...messageLines];
  for (const line of missing.toSorted(byOffset)) {
    const link = conversation.linkOf(line);
    const parent = lines.findIndex((other) => other.uuid === link);
    lines.splice(parent < 0 ? lines.length : parent + 1, 0, line);
  }
  return lines;
}

function lastLineByMessage(chain: readonly TreeNode[]): Map<string, TreeNode> {
  const last = new Map<string, TreeNode>();
  for (const node of chain) if (node.messageId !== undefined) last.set(node.messageId, node);
  return last;
}

function missingOf(
  node: TreeNode,
  missing: ReadonlyMap<string, MissingLines>,
  lastOfMessage: ReadonlyMap<string, TreeNode>,
): MissingLines | undefined {
  const { messageId = "" } = node;
  return lastOfMessage.get(messageId) === node ? missing.get(messageId) : undefined;
}

function findMissing(
  conversation: Conversation,
  chain: ReadonlySet<TreeNode>,
  messages: ReadonlyMap<string, TreeNode>,
  clientLines?: ClientLines,
): Map<string, MissingLines> {
  const nodes = conversation.remainingNodes();
  const calls = new Map<string, { call: TreeNode; missing: MissingLines }>();
  const found = new Map<string, MissingLines>();
  for (const node of nodes) {
    const { messageId } = node;
    if (messageId === undefined || !messages.has(messageId)) continue;
    const missing = found.get(messageId) ?? { lines: [], results: [] };
    found.set(messageId, missing);
    calls.set(node.uuid, { call: node, missing });
    if (!chain.has(node)) missing.lines.push(node);
  }
  for (const node of nodes) {
    if (!node.hasToolResult || chain.has(node)) continue;
    const link = clientLines === undefined
      ? conversation.linkOf(node)
      : clientLines.messageAbove(node);
    const owner = calls.get(link ?? "");
    owner?.missing.results.push({ node, call: owner.call });
  }
  return found;
}

function byOffset(a: TreeNode | undefined, b: TreeNode | undefined): number {
  return (a?.firstOffset ?? 0) - (b?.firstOffset ?? 0);
}

/** Returns 0 if one of the times is unknown. */
function byTime(a: TreeNode, b: TreeNode): number {
  return a.timeMs - b.timeMs || 0;
}
