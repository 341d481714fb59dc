/** Adds trimtab's entries to the text of a settings file, and removes them. */

import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isObject } from "../../core/record.ts";
import { type HookEntries, isOwnStatusLine, rootOf } from "./entries.ts";

interface WantedEntries {
  readonly hooks: HookEntries;
  /** The command of the status line; null keeps the present command. */
  readonly statusLine: string | null;
}

export interface FoundEntries {
  readonly hooks: HookEntries;
  /** The trimtab folders that the hooks' commands name. */
  readonly roots: readonly string[];
  readonly statusLine: "none" | "ours" | "other";
  readonly statusLineCommand: string | null;
  /** Whether the client reads the file; it ignores a file with a comment or a trailing comma. */
  readonly isStrict: boolean;
  readonly isDisabled: boolean;
  /** The full name of the enabled plugin, such as `trimtab@trimtab`; null if it is not enabled. */
  readonly plugin: string | null;
}

type Settings = Readonly<Record<string, unknown>>;

/**
 * Finds trimtab's entries in settings.
 *
 * @throws {SyntaxError} When the text is not JSON.
 * @throws {TypeError} When `hooks` has an invalid shape, so that an edit could lose some of them.
 */
export function findEntries(given: string): FoundEntries {
  const text = isBlank(given) ? "{}" : given;
  const settings = parseSettings(text);
  const { statusLine: line, enabledPlugins: plugins, hooks: events } = settings;
  const command = isObject(line) && typeof line["command"] === "string" ? line["command"] : null;
  const own = Object.entries(isObject(events) ? events : {})
    .map(([event, groups]) =>
      [event, listOf(groups).filter((group) => ownHookOf(group) >= 0)] as const
    )
    .filter(([, groups]) => groups.length > 0);
  const roots = own.flatMap(([, groups]) => groups.flatMap(hooksOf)).map((hook) =>
    rootOf(hook["command"])
  );
  return {
    hooks: Object.fromEntries(own),
    roots: [...new Set(roots.filter((root) => root !== null))],
    statusLine: line === undefined ? "none" : isOwnStatusLine(command) ? "ours" : "other",
    statusLineCommand: command,
    isStrict: isStrictJson(text),
    isDisabled: settings["disableAllHooks"] === true,
    plugin: isObject(plugins)
      ? Object.keys(plugins).find((name) =>
        name.startsWith("trimtab@") && plugins[name] === true
      ) ?? null
      : null,
  };
}

/** Returns true for a blank file, which the client reads as no settings. */
function isBlank(text: string): boolean {
  return text.trim() === "";
}

export function addEntries(text: string | null, wanted: WantedEntries): string {
  const before = text === null || isBlank(text) ? "{}\n" : text;
  const found = findEntries(before);
  const line = found.statusLine === "ours" ? found.statusLineCommand : null;
  const wantedLine = found.statusLine === "other" ? null : wanted.statusLine ?? line;
  const isSame = sortedText(found.hooks) === sortedText(wanted.hooks) && line === wantedLine;
  if (isSame && text !== null) return text;
  let changed = removeEntries(before);
  for (const [event, groups] of Object.entries(wanted.hooks)) {
    if (findNodeAtLocation(treeOf(changed), ["hooks", event]) === undefined) {
      changed = setValue(changed, ["hooks", event], groups);
      continue;
    }
    for (const group of groups) changed = setValue(changed, ["hooks", event, -1], group);
  }
  const value = { type: "command", command: wantedLine };
  return wantedLine === null ? changed : setValue(changed, ["statusLine"], value);
}

/** Removes all entries of trimtab, and groups that become empty. */
export function removeEntries(text: string): string {
  if (isBlank(text)) return text;
  let changed = text;
  for (;;) {
    const path = firstOwnPath(parseSettings(changed));
    if (path === null) return changed;
    changed = setValue(changed, path, undefined);
  }
}

export function sortedText(hooks: HookEntries): string {
  return JSON.stringify(Object.entries(hooks).sort(([a], [b]) => a < b ? -1 : 1));
}

/** Returns the path of trimtab's first entry, or of the outermost parent without other entries. */
function firstOwnPath({ statusLine: line, hooks: events }: Settings): JSONPath | null {
  if (isObject(line) && isOwnStatusLine(line["command"])) return ["statusLine"];
  for (const [event, groups] of Object.entries(isObject(events) ? events : {})) {
    const index = listOf(groups).findIndex((group) => ownHookOf(group) >= 0);
    if (index < 0) continue;
    const group = listOf(groups)[index];
    if (hooksOf(group).length > 1) return ["hooks", event, index, "hooks", ownHookOf(group)];
    if (listOf(groups).length > 1) return ["hooks", event, index];
    return Object.keys(events ?? {}).length > 1 ? ["hooks", event] : ["hooks"];
  }
  return null;
}

function setValue(text: string, path: JSONPath, value: unknown): string {
  const [, indent = "  "] = /\n([ \t]+)["[{]/.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  const isArrayInsertion = path.at(-1) === -1;
  const edits = modify(withoutByteOrderMark(text), path, value, {
    formattingOptions,
    isArrayInsertion,
  });
  return applyEdits(text, edits);
}

function parseSettings(text: string): Settings {
  const root = treeOf(text);
  const settings: Settings = getNodeValue(root);
  const { hooks: events = {} } = settings;
  if (!isObject(events)) throw invalid("hooks must be an object");
  for (const [event, groups] of Object.entries(events)) {
    const isFine = Array.isArray(groups) &&
      groups.every((group) =>
        isObject(group) && (group["hooks"] === undefined || Array.isArray(group["hooks"]))
      );
    if (!isFine) throw invalid(`hooks.${event} must be an array of objects with hooks`);
  }
  const node = findNodeAtLocation(root, ["hooks"]);
  const groups = (node?.children ?? []).flatMap(({ children }) => children?.[1]?.children ?? []);
  for (const object of [root, node, ...groups]) {
    const names = (object?.children ?? []).map(({ children }) => String(children?.[0]?.value));
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    // The client uses the last of the two definitions, but an edit would change the first.
    if (twice !== undefined) throw invalid(`${twice} is defined twice`);
  }
  return settings;
}

function invalid(problem: string): TypeError {
  return new TypeError(`it is invalid: ${problem}`);
}

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(withoutByteOrderMark(text), errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser recurses, so deep nesting overflows the stack.
    if (error instanceof RangeError) throw new SyntaxError("it is nested too deeply");
    throw error;
  }
  const [first] = errors;
  if (first !== undefined) {
    const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    const lines = text.slice(0, first.offset).split("\n");
    const column = (lines.at(-1)?.length ?? 0) + 1;
    throw new SyntaxError(`${what.toLowerCase()} at line ${lines.length}, column ${column}`);
  }
  if (root?.type !== "object") throw invalid("expected an object");
  return root;
}

/** Replaces the byte order mark, which the parser refuses, with a space, so that offsets stay valid. */
function withoutByteOrderMark(text: string): string {
  return text.replace(/^\ufeff/, " ");
}

function ownHookOf(group: unknown): number {
  return hooksOf(group).findIndex((hook) => rootOf(hook["command"]) !== null);
}

function hooksOf(group: unknown): Settings[] {
  return listOf(isObject(group) ? group["hooks"] : []).map((hook) => isObject(hook) ? hook : {});
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(withoutByteOrderMark(text));
    return true;
  } catch {
    return false;
  }
}
