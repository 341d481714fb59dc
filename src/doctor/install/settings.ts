/** Puts trimtab's entries into the text of a settings file, and takes them out again. */

import { isRecord } from "../../core/record.ts";
import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import { isOwnHook, isOwnStatusLine, rootOf } from "./entries.ts";
import { addItem, parseSettingsText, placeOf, removeItem } from "./settings_text.ts";

export interface WantedEntries {
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
  /** The command of the status line; null where none is asked for. */
  readonly statusLine: string | null;
}

export interface FoundEntries {
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
  readonly roots: readonly string[];
  readonly statusLine: "none" | "ours" | "other";
  readonly statusLineCommand: string | null;
  /** Whether the client reads the file: it takes one with a comment or a trailing comma for none. */
  readonly isStrict: boolean;
  /** The plugin trimtab as the settings enable it; null where they do not. */
  readonly plugin: string | null;
}

/** A file holds no more hooks of ours; who meets more has met something else. */
const MAX_REMOVALS = 1_000;

const BOM = "\ufeff";

const EMPTY = "{}\n";

export function findEntries(text: string): FoundEntries {
  const bare = withoutBom(text);
  const root = checkedRoot(bare);
  const settings: Record<string, unknown> = getNodeValue(root);
  const line = settings["statusLine"];
  const command = isRecord(line) && typeof line["command"] === "string" ? line["command"] : null;
  const plugins = settings["enabledPlugins"];
  const enabled = isRecord(plugins)
    ? Object.keys(plugins).find((name) => name.startsWith("trimtab@") && plugins[name] === true)
    : undefined;
  const hooks = ownHooks(settings["hooks"]);
  return {
    hooks,
    roots: rootsOf(Object.values(hooks).flat()),
    statusLine: line === undefined ? "none" : isOwnStatusLine(command) ? "ours" : "other",
    statusLineCommand: command,
    isStrict: isStrictJson(bare),
    plugin: enabled ?? null,
  };
}

/** Puts entries in; those that are there from another folder or version are replaced. */
export function addEntries(text: string | null, wanted: WantedEntries): string {
  const before = text ?? EMPTY;
  const found = findEntries(before);
  const line = found.statusLine === "ours" ? found.statusLineCommand : null;
  const wantedLine = found.statusLine === "other"
    ? null
    : found.statusLine === "ours"
    ? wanted.statusLine ?? line
    : wanted.statusLine;
  const isSame = JSON.stringify(sorted(found.hooks)) === JSON.stringify(sorted(wanted.hooks)) &&
    (line ?? null) === (wantedLine ?? null);
  if (isSame) return text ?? addAll(EMPTY, wanted.hooks, wantedLine);
  return onBare(before, (bare) => addAll(removeAll(bare), wanted.hooks, wantedLine));
}

/** Takes all entries of trimtab out, and what is empty without them. */
export function removeEntries(text: string): string {
  findEntries(text);
  return onBare(text, removeAll);
}

function addAll(
  text: string,
  hooks: WantedEntries["hooks"],
  statusLine: string | null,
): string {
  let changed = text;
  if (Object.keys(hooks).length > 0 && memberOf(changed, ["hooks"]) === undefined) {
    changed = addItem(changed, [], { name: "hooks", value: hooks });
  } else {
    for (const [event, groups] of inOrder(text, hooks)) {
      if (memberOf(changed, ["hooks", event]) === undefined) {
        changed = addItem(changed, ["hooks"], { name: event, value: groups });
        continue;
      }
      for (const value of groups) changed = addItem(changed, ["hooks", event], { value });
    }
  }
  if (statusLine === null) return changed;
  const value = { type: "command", command: statusLine };
  return addItem(changed, [], { name: "statusLine", value });
}

/** The same order whatever order the hooks come in, by which uninstall knows the first file again. */
function inOrder(
  text: string,
  hooks: WantedEntries["hooks"],
): [event: string, groups: readonly unknown[]][] {
  const there: string[] = (memberOf(text, ["hooks"])?.children ?? [])
    .map(({ children }) => String(children?.[0]?.value));
  const wanted = Object.entries(hooks);
  const isThere = ([event]: [string, unknown]): boolean => there.includes(event);
  return [
    ...wanted.filter(isThere).sort(([a], [b]) => there.indexOf(a) - there.indexOf(b)),
    ...wanted.filter((one) => !isThere(one)),
  ];
}

function removeAll(text: string): string {
  let changed = text;
  for (let count = 0; count < MAX_REMOVALS; count++) {
    const path = firstOwn(getNodeValue(parseSettingsText(changed)));
    if (path === null) return changed;
    changed = removeItem(changed, path);
  }
  throw new RangeError(`Cannot remove hooks: over ${MAX_REMOVALS} are trimtab's`);
}

/** The path of the first entry that is to go, the widest that holds nothing else. */
function firstOwn(settings: Record<string, unknown>): (string | number)[] | null {
  const line = settings["statusLine"];
  if (isRecord(line) && isOwnStatusLine(line["command"])) return ["statusLine"];
  const events = settings["hooks"];
  if (!isRecord(events)) return null;
  for (const [event, groups] of Object.entries(events)) {
    if (!Array.isArray(groups)) continue;
    for (const [index, group] of groups.entries()) {
      const hooks = hooksOf(group);
      const own = hooks.findIndex((hook) => isRecord(hook) && isOwnHook(hook["command"]));
      if (own < 0) continue;
      if (hooks.length > 1) return ["hooks", event, index, "hooks", own];
      if (groups.length > 1) return ["hooks", event, index];
      return Object.keys(events).length > 1 ? ["hooks", event] : ["hooks"];
    }
  }
  return null;
}

function ownHooks(events: unknown): Record<string, unknown[]> {
  if (!isRecord(events)) return {};
  const own = Object.entries(events).map(([event, groups]) => {
    const ours = (Array.isArray(groups) ? groups : []).filter((group) =>
      hooksOf(group).some((hook) => isRecord(hook) && isOwnHook(hook["command"]))
    );
    return [event, ours] as const;
  });
  return Object.fromEntries(own.filter(([, groups]) => groups.length > 0));
}

function rootsOf(groups: readonly unknown[]): string[] {
  const roots = groups.flatMap(hooksOf).map((hook) =>
    isRecord(hook) ? rootOf(String(hook["command"])) : null
  );
  return [...new Set(roots.filter((root) => root !== null))];
}

/** Settings of a wrong shape are refused: what is there would be lost or would not work. */
function checkedRoot(text: string): Node {
  const root = parseSettingsText(text);
  for (const name of ["hooks", "statusLine"]) expectOne(text, root, name);
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks === undefined) return root;
  expectType(text, hooks, { type: "object", name: "hooks" });
  for (const property of hooks.children ?? []) {
    const [key, groups] = property.children ?? [];
    if (key === undefined || groups === undefined) continue;
    const name = `hooks.${key.value}`;
    expectOne(text, hooks, String(key.value), "hooks.");
    expectType(text, groups, { type: "array", name });
    for (const [index, group] of (groups.children ?? []).entries()) {
      expectType(text, group, { type: "object", name: `${name}[${index}]` });
      const inner = findNodeAtLocation(group, ["hooks"]);
      if (inner === undefined) continue;
      expectType(text, inner, { type: "array", name: `${name}[${index}].hooks` });
    }
  }
  return root;
}

function expectType(text: string, node: Node, wanted: { type: string; name: string }): void {
  if (node.type === wanted.type) return;
  throw new TypeError(
    `${wanted.name} must be an ${wanted.type}, is ${node.type} at ${placeOf(text, node.offset)}`,
  );
}

/** Of a name that stands twice the client takes the last, and an edit would take the first. */
function expectOne(text: string, object: Node, name: string, prefix = ""): void {
  const [, second] = (object.children ?? []).filter(({ children }) =>
    children?.[0]?.value === name
  );
  if (second === undefined) return;
  throw new TypeError(
    `${prefix}${name} is defined twice, again at ${placeOf(text, second.offset)}`,
  );
}

function memberOf(text: string, path: string[]): Node | undefined {
  return findNodeAtLocation(parseSettingsText(text), path);
}

function hooksOf(group: unknown): unknown[] {
  return isRecord(group) && Array.isArray(group["hooks"]) ? group["hooks"] : [];
}

function sorted(events: Readonly<Record<string, readonly unknown[]>>): unknown {
  return Object.entries(events).sort(([a], [b]) => a < b ? -1 : 1);
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function onBare(text: string, change: (bare: string) => string): string {
  const bare = withoutBom(text);
  return text.slice(0, text.length - bare.length) + change(bare);
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(BOM.length) : text;
}
