/** Restores parallel calls and results, of which only one result is on the chain, as the client does. */

import type { Conversation } from "./conversation.ts";
import { isUserOrModel, type TreeNode } from "./tree.ts";

/** Inserts missing lines and results. Moves all results of a message after its lines. */
export function restoreCalls(
  conversation: Conversation,
  chain: readonly TreeNode[],
): TreeNode[] {
  const placed = new Set(chain);
  const remaining = conversation.remainingNodes();
  const messageIds = new Map(remaining.map(({ uuid, messageId }) => [uuid, messageId]));
  const missing = remaining.filter((node) => !placed.has(node));
  const missingLines = Map.groupBy(missing, ({ messageId }) => messageId);
  const missingResults = Map.groupBy(
    missing.filter((node) => node.hasToolResult),
    (node) => messageIds.get(conversation.messageAbove(node) ?? ""),
  );
  const lastOfMessage = new Map(chain.map((node) => [node.messageId, node]));
  function takeDescendants(node: TreeNode): TreeNode[] {
    const found = conversation.clientLinesBelow(node).filter((line) => !placed.has(line));
    for (const line of found) placed.add(line);
    return found;
  }
  const sent: TreeNode[] = [];
  for (let i = 0; i < chain.length;) {
    const part = messageGroupAt(chain, i);
    i += part.length;
    const messageId = part[0]?.messageId;
    if (messageId === undefined) {
      sent.push(...part, ...part.filter((line) => line.hasToolResult).flatMap(takeDescendants));
      continue;
    }
    const messageLines = part.filter((line) => line.messageId === messageId);
    // A message can continue after a prompt. Its missing lines follow its last line on the chain.
    const missingOf = (groups: ReadonlyMap<string | undefined, TreeNode[]>): TreeNode[] =>
      messageLines.at(-1) === lastOfMessage.get(messageId) ? groups.get(messageId) ?? [] : [];
    const lines = withChildren(messageLines, missingOf(missingLines), conversation);
    const answers = part.filter((line) => !messageLines.includes(line));
    const start = answers.findIndex((line) => line.hasToolResult);
    const groups = missingOf(missingResults).map((result) => [result, ...takeDescendants(result)]);
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

/** Returns the lines of an assistant message with everything between and after them, or the line. */
function messageGroupAt(chain: readonly TreeNode[], index: number): readonly TreeNode[] {
  const messageId = chain[index]?.messageId;
  let end = index + 1;
  for (; messageId !== undefined; end++) {
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

function byOffset(a: TreeNode | undefined, b: TreeNode | undefined): number {
  return (a?.firstOffset ?? 0) - (b?.firstOffset ?? 0);
}
