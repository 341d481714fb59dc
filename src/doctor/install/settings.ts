/** Adds trimtab's entries to the text of a settings file, and removes them. */

import { isObject } from "../../core/record.ts";
import { type HookEntries, isOwnStatusLine, rootOf } from "./entries.ts";

interface WantedEntries {
  readonly hooks: HookEntries;
  /**
   * The command of the status line; null keeps trimtab's current command. Another program's command is always
   * kept.
   */
  readonly statusLine: string | null;
}

export interface FoundEntries {
  readonly hooks: HookEntries;
  readonly roots: readonly string[];
  readonly statusLine: "none" | "ours" | "other";
  readonly statusLineCommand: string | null;
  readonly isDisabled: boolean;
  /** The full name of the enabled plugin, such as `trimtab@trimtab`; null if it is not enabled. */
  readonly plugin: string | null;
}

type Settings = Readonly<Record<string, unknown>>;

/**
 * Finds trimtab's entries in settings.
 *
 * @throws {SyntaxError} When the text is not JSON.
 * @throws {TypeError} When the text is not an object, or `hooks` has a shape that an edit could damage.
 */
export function findEntries(given: string): FoundEntries {
  const text = isBlank(given) ? "{}" : given;
  const settings = parseSettings(text);
  const { statusLine: line, enabledPlugins: plugins } = settings;
  const command = isObject(line) && typeof line["command"] === "string" ? line["command"] : null;
  const own = ownGroups(settings);
  const roots = Object.values(own).flat().flatMap(hooksOf).map((hook) => rootOf(hook["command"]));
  return {
    hooks: own,
    roots: [...new Set(roots.filter((root) => root !== null))],
    statusLine: line === undefined ? "none" : isOwnStatusLine(command) ? "ours" : "other",
    statusLineCommand: command,
    isDisabled: settings["disableAllHooks"] === true,
    plugin: isObject(plugins)
      ? Object.keys(plugins).find((name) =>
        name.startsWith("trimtab@") && plugins[name] === true
      ) ?? null
      : null,
  };
}

function ownGroups({ hooks: events }: Settings): Record<string, unknown[]> {
  const groups = Object.entries(isObject(events) ? events : {}).map(([event, all]) =>
    [
      event,
      listOf(all).flatMap((group) => groupWithHooks(hooksOf(group).filter(isOwnHook), group)),
    ] as const
  );
  return Object.fromEntries(groups.filter(([, own]) => own.length > 0));
}

/** Returns true for a blank file, which the client treats as empty settings. */
function isBlank(text: string): boolean {
  return text.trim() === "";
}

export function addEntries(text: string | null, wanted: WantedEntries): string {
  const before = text === null || isBlank(text) ? "{}\n" : text;
  const found = findEntries(before);
  const line = found.statusLine === "ours" ? found.statusLineCommand : null;
  const wantedStatusLine = found.statusLine === "other" ? null : wanted.statusLine ?? line;
  const isSame = sortedText(found.hooks) === sortedText(wanted.hooks) && line === wantedStatusLine;
  if (isSame && text !== null) return text;
  const parsed = parseSettings(before);
  const settings: Record<string, unknown> = { ...withoutOwn(parsed) };
  if (Object.keys(wanted.hooks).length > 0) {
    const hooks: Record<string, unknown> = { ...Object(settings["hooks"]) };
    for (const [event, groups] of Object.entries(wanted.hooks)) {
      hooks[event] = [...listOf(hooks[event]), ...groups];
    }
    settings["hooks"] = hooks;
  }
  if (wantedStatusLine !== null) {
    // Keeps the fields that the user added, such as `padding`.
    settings["statusLine"] = {
      ...Object(parsed["statusLine"]),
      type: "command",
      command: wantedStatusLine,
    };
  }
  return textOf(settings, before);
}

export function removeEntries(text: string): string {
  if (isBlank(text)) return text;
  const settings = parseSettings(text);
  const { hooks, statusLine } = findEntries(text);
  const hasOwn = Object.keys(hooks).length > 0 || statusLine === "ours";
  return hasOwn ? textOf(withoutOwn(settings), text) : text;
}

export function sortedText(hooks: HookEntries): string {
  return JSON.stringify(Object.entries(hooks).sort(([a], [b]) => a < b ? -1 : 1));
}

function withoutOwn(settings: Settings): Settings {
  const { hooks: events, statusLine: line } = settings;
  const kept = { ...settings };
  if (isObject(line) && isOwnStatusLine(line["command"])) delete kept["statusLine"];
  const own = ownGroups(settings);
  if (!isObject(events) || Object.keys(own).length === 0) return kept;
  const groups = Object.entries(events).map(([event, all]) =>
    [event, listOf(all).flatMap(withoutOwnHooks)] as const
  ).filter(([event, all]) => all.length > 0 || !Object.hasOwn(own, event));
  if (groups.length === 0) delete kept["hooks"];
  else kept["hooks"] = Object.fromEntries(groups);
  return kept;
}

function withoutOwnHooks(group: unknown): unknown[] {
  const hooks = hooksOf(group);
  if (!hooks.some(isOwnHook)) return [group];
  return groupWithHooks(hooks.filter((hook) => !isOwnHook(hook)), group);
}

function groupWithHooks(hooks: readonly Settings[], group: unknown): unknown[] {
  return hooks.length === 0 ? [] : [{ ...Object(group), hooks }];
}

function textOf(settings: Settings, before: string): string {
  const [, indent = "  "] = /\n([ \t]+)"/.exec(before) ?? [];
  const text = JSON.stringify(settings, null, indent) + (before.endsWith("\n") ? "\n" : "");
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

/** The client ignores a file with a comment or a trailing comma, so the text must be strict JSON. */
function parseSettings(text: string): Settings {
  const json = text.replace(/^\ufeff/, "");
  const error = jsonError(json);
  if (error !== null) {
    throw new SyntaxError(
      `it is not JSON, so Claude Code ignores it: ${messageWithPosition(json, error)}`,
    );
  }
  const settings: unknown = JSON.parse(json);
  if (!isObject(settings)) throw invalidSettings("expected an object");
  const { hooks: events = {} } = settings;
  if (!isObject(events)) throw invalidSettings("hooks must be an object");
  for (const [event, groups] of Object.entries(events)) {
    const isValid = Array.isArray(groups) &&
      groups.every((group) =>
        isObject(group) && (group["hooks"] === undefined || Array.isArray(group["hooks"]))
      );
    if (!isValid) throw invalidSettings(`hooks.${event} must be an array of objects with hooks`);
  }
  return settings;
}

function invalidSettings(problem: string): TypeError {
  return new TypeError(`it is invalid: ${problem}`);
}

function isOwnHook(hook: Settings): boolean {
  return rootOf(hook["command"]) !== null;
}

function hooksOf(group: unknown): Settings[] {
  return listOf(isObject(group) ? group["hooks"] : []).map((hook) => isObject(hook) ? hook : {});
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function jsonError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Replaces the engine's excerpt of the text, which can contain secrets, with a line and a column. */
function messageWithPosition(text: string, message: string): string {
  if (message.includes(" (line ")) return message;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isStartOfJson(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, bad).split("\n");
  const words = /^Unexpected (?:token '.+?'(?=,)|end)/su.exec(message)?.[0] ?? "Error";
  return `${words} (line ${lines.length} column ${lines.at(-1)?.length})`;
}

function isStartOfJson(text: string): boolean {
  const error = jsonError(text);
  return error === null || /^Un(?:expected end|terminated)/.test(error) ||
    error.includes(` at position ${text.length} `);
}
