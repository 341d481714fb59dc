/** Changes single entries of a settings file and leaves every other byte as it is. */

import { findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import { printParseErrorCode } from "jsonc-parser";

/** Where a value stands: names of members and numbers of elements. */
type SettingsPath = readonly (string | number)[];

/** No larger file is taken for settings, in characters. */
const MAX_CHARS = 4 * 1024 * 1024;

interface Layout {
  readonly eol: string;
  readonly unit: string;
  readonly afterColon: string;
}

export function parseSettingsText(text: string): Node {
  if (text.length > MAX_CHARS) {
    throw new SyntaxError(`it has over ${MAX_CHARS} characters, too many for settings`);
  }
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const [first] = errors;
  if (first !== undefined) {
    const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    throw new SyntaxError(`${what.toLowerCase()} at ${placeOf(text, first.offset)}`);
  }
  if (root === undefined) throw new SyntaxError("it is empty");
  if (root.type !== "object") {
    throw new TypeError(`expected an object at ${placeOf(text, root.offset)}, is ${root.type}`);
  }
  return root;
}

/** The library goes into what is nested by calling itself. */
function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SyntaxError("it is nested too deeply");
  }
}

export function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Adds a member to an object, or an element to an array, behind all others. */
export function addItem(
  text: string,
  path: SettingsPath,
  item: { readonly name?: string; readonly value: unknown },
): string {
  const container = containerAt(text, path);
  const layout = layoutOf(text);
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const inside = text.slice(open, close);
  const end = open + inside.trimEnd().length;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const indent = indentAt(text, container.offset);
    const added = `${layout.eol}${indent}${layout.unit}` +
      render(item, layout, indent + layout.unit);
    const tail = inside.trim() === "" || !text.slice(end, close).includes("\n")
      ? layout.eol + indent
      : text.slice(end, close);
    return text.slice(0, end) + added + tail + text.slice(close);
  }
  const lastEnd = last.offset + last.length;
  const hasComma = withoutComments(text.slice(lastEnd, close)).includes(",");
  const isInline = !inside.includes("\n");
  const indent = indentAt(text, last.offset);
  const added = isInline
    ? (inside.startsWith(" ") || layout.afterColon !== "" ? " " : "") + render(item, layout)
    : layout.eol + indent + render(item, layout, indent);
  return text.slice(0, lastEnd) + (hasComma ? "" : ",") + text.slice(lastEnd, end) + added +
    (hasComma ? "," : "") + text.slice(end);
}

/** Takes a member or an element out, with the comma that belongs to it. */
export function removeItem(text: string, path: SettingsPath): string {
  const container = containerAt(text, path.slice(0, -1));
  const value = findNodeAtLocation(container, path.slice(-1));
  if (value === undefined) {
    throw new RangeError(`Cannot remove ${path.join(".")}: it does not exist`);
  }
  const child = value.parent?.type === "property" ? value.parent : value;
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const before = children[index - 1];
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const end = child.offset + child.length;
  const commaAfter = commaIn(text, end, children[index + 1]?.offset ?? close);
  const beforeEnd = before === undefined ? open : before.offset + before.length;
  const commaBefore = before === undefined || commaAfter >= 0
    ? -1
    : commaIn(text, beforeEnd, child.offset);
  const start = startOfRemoval(text, {
    from: beforeEnd,
    child: child.offset,
    end: Math.max(end, commaAfter + 1),
  });
  const cuts = [
    [commaBefore, commaBefore < 0 ? -1 : commaBefore + 1],
    [start, end],
    [commaAfter, commaAfter < 0 ? -1 : commaAfter + 1],
  ] as const;
  const kept = cutOut(text, open, close, cuts);
  // A container that has nothing left is written as one that never had anything.
  const isEmpty = children.length === 1 && kept.trim() === "";
  return text.slice(0, open) + (isEmpty ? "" : kept) + text.slice(close);
}

/** White space in front goes with an entry, unless a comment would swallow what follows. */
function startOfRemoval(
  text: string,
  at: { readonly from: number; readonly child: number; readonly end: number },
): number {
  const gap = text.slice(at.from, at.child);
  const endsLine = /^[ \t]*(?:\r?\n|$)/.test(text.slice(at.end));
  return gap.includes("//") && !endsLine ? at.child : at.from + gap.trimEnd().length;
}

function cutOut(
  text: string,
  open: number,
  close: number,
  cuts: readonly (readonly [from: number, to: number])[],
): string {
  let kept = "";
  let at = open;
  for (const [from, to] of cuts) {
    if (from < 0) continue;
    kept += text.slice(at, from);
    at = to;
  }
  return kept + text.slice(at, close);
}

function containerAt(text: string, path: SettingsPath): Node {
  const root = parseSettingsText(text);
  const found = path.length === 0 ? root : findNodeAtLocation(root, [...path]);
  if (found?.type === "object" || found?.type === "array") return found;
  throw new RangeError(`Cannot change ${path.join(".")}: not an object or array`);
}

function commaIn(text: string, from: number, to: number): number {
  const at = withoutComments(text.slice(from, to)).indexOf(",");
  return at < 0 ? -1 : from + at;
}

/** The text with blanks for its comments; only for text between values, which holds no strings. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => " ".repeat(comment.length));
}

function layoutOf(text: string): Layout {
  const [, unit = "  "] = /\n([ \t]+)["[{]/.exec(text) ?? [];
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit,
    afterColon: /"\s*:\S/.test(text) ? "" : " ",
  };
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Without indentation all of it stands on one line. */
function render(
  item: { readonly name?: string; readonly value: unknown },
  layout: Layout,
  indent?: string,
): string {
  const name = item.name === undefined ? "" : `${JSON.stringify(item.name)}:`;
  if (indent === undefined) {
    const gap = name === "" ? "" : layout.afterColon;
    return `${name}${gap}${JSON.stringify(item.value)}`;
  }
  const lines = JSON.stringify(item.value, null, layout.unit).split("\n");
  return `${name}${name === "" ? "" : " "}${lines.join(layout.eol + indent)}`;
}
