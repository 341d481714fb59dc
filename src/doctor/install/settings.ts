/** Adds trimtab's entries to the text of a settings file, and removes them. */

import { isObject } from "../../core/record.ts";
import { joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";
import type { SkillLink } from "./skills.ts";

interface WantedEntries {
  readonly hooks: HookEntries;
  /** Null keeps trimtab's current command. Another program's command is always kept. */
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

interface Group {
  readonly hooks?: readonly unknown[];
}

interface Settings {
  readonly [key: string]: unknown;
  readonly hooks?: Readonly<Record<string, readonly Group[]>>;
}

/** @throws {SyntaxError | TypeError} For text that is not JSON, or a shape that an edit could damage. */
export function findEntries(text: string): FoundEntries {
  const settings = parseSettings(text);
  const { statusLine: line, enabledPlugins: plugins } = settings;
  const command = isObject(line) && typeof line["command"] === "string" ? line["command"] : null;
  const own = ownGroups(settings);
  const roots = Object.values(own).flat().flatMap(({ hooks }) => hooks).map(hookRoot);
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

function ownGroups({ hooks: events = {} }: Settings): Record<string, Required<Group>[]> {
  const groups = Object.entries(events).map(([event, all]) =>
    [event, all.flatMap((group) => groupWithHooks(group, isOwnHook))] as const
  );
  return Object.fromEntries(groups.filter(([, own]) => own.length > 0));
}

export function addEntries(text: string | null, wanted: WantedEntries): string {
  const before = text === null || text.trim() === "" ? "{}\n" : text;
  const found = findEntries(before);
  const line = found.statusLine === "ours" ? found.statusLineCommand : null;
  const wantedStatusLine = found.statusLine === "other" ? null : wanted.statusLine ?? line;
  const isSame = sortedText(found.hooks) === sortedText(wanted.hooks) && line === wantedStatusLine;
  if (isSame && text !== null) return text;
  const parsed = parseSettings(before);
  const settings: Record<string, unknown> = { ...withoutOwn(parsed) };
  if (Object.keys(wanted.hooks).length > 0) {
    const hooks: Record<string, readonly unknown[]> = { ...Object(settings["hooks"]) };
    for (const [event, groups] of Object.entries(wanted.hooks)) {
      hooks[event] = [...hooks[event] ?? [], ...groups];
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
  const { hooks, statusLine } = findEntries(text);
  const hasOwn = Object.keys(hooks).length > 0 || statusLine === "ours";
  return hasOwn ? textOf(withoutOwn(parseSettings(text)), text) : text;
}

export function sortedText(hooks: HookEntries): string {
  return JSON.stringify(Object.entries(hooks).sort(([a], [b]) => a < b ? -1 : 1));
}

function withoutOwn(settings: Settings): Record<string, unknown> {
  const { hooks: events = {}, statusLine: line } = settings;
  const kept: Record<string, unknown> = { ...settings };
  if (isObject(line) && isOwnStatusLine(line["command"])) delete kept["statusLine"];
  const own = ownGroups(settings);
  if (Object.keys(own).length === 0) return kept;
  const groups = Object.entries(events).map(([event, all]) =>
    [event, all.flatMap(withoutOwnHooks)] as const
  ).filter(([event, all]) => all.length > 0 || !Object.hasOwn(own, event));
  if (groups.length === 0) delete kept["hooks"];
  else kept["hooks"] = Object.fromEntries(groups);
  return kept;
}

function withoutOwnHooks(group: Group): Group[] {
  if (group.hooks?.some(isOwnHook) !== true) return [group];
  return groupWithHooks(group, (hook) => !isOwnHook(hook));
}

function groupWithHooks(
  group: Group,
  isKept: (hook: unknown) => boolean,
): Required<Group>[] {
  const hooks = (group.hooks ?? []).filter(isKept);
  return hooks.length === 0 ? [] : [{ ...group, hooks }];
}

function textOf(settings: Readonly<Record<string, unknown>>, before: string): string {
  const [, indent = "  "] = /\n([ \t]+)"/.exec(before) ?? [];
  const text = JSON.stringify(settings, null, indent) + (before.endsWith("\n") ? "\n" : "");
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

/** The client ignores a file that is not strict JSON, and treats a blank file as empty settings. */
function parseSettings(text: string): Settings {
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\ufeff|^\s*$/, "") || "{}");
  } catch (error) {
    const reason = error instanceof Error ? withoutExcerpt(error.message) : String(error);
    throw new SyntaxError(`it is not JSON, so Claude Code ignores it: ${reason}`);
  }
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

function isOwnHook(hook: unknown): boolean {
  return hookRoot(hook) !== null;
}

function hookRoot(hook: unknown): string | null {
  return rootOf(isObject(hook) ? hook["command"] : undefined);
}

/** If the engine reports no position, it quotes a part of the text, which can contain secrets. */
function withoutExcerpt(message: string): string {
  if (message.includes(" (line ")) return message;
  return /^Unexpected (?:token '.+?'(?=,)|end)/su.exec(message)?.[0] ?? "Error";
}

interface HookGroup {
  /** A pattern for tools, or the name of a skill, for which the hooks run; absent if the hooks always run. */
  readonly matcher?: string;
  readonly hooks: readonly { readonly command: string }[];
}

export type HookEntries = Readonly<Record<string, readonly unknown[]>>;

const OWN_HOOK = /^(?:\/bin\/)?sh "(.*)\/bin\/trimtab" hook [a-z-]+$/s;

/** Matches the command of trimtab's status line; version 0.1.0 used `sh` instead of `/bin/sh`. */
const OWN_STATUS_LINE =
  /^(?:(?:\/bin\/)?sh ".*\/bin\/trimtab" statusline|sh -c 'n=; for t in .* exec sh "\$n" statusline')$/s;

/** Matches a folder of the installed plugin, such as `~/.claude/plugins/cache/trimtab/trimtab/0.1.0`. */
const PLUGIN_FOLDER = /[/\\]plugins[/\\]cache[/\\][^/\\]+[/\\]trimtab[/\\][^/\\]+$/;

/** Starts the newest installed version of the plugin, so that the settings stay valid after an update. */
const PLUGIN_STATUS_LINE =
  `/bin/sh -c 'n=; for t in "\${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/plugins/cache/*/trimtab/*/bin/trimtab; ` +
  `do [ -n "$n" ] && [ "$n" -nt "$t" ] || n=$t; done; exec /bin/sh "$n" statusline'`;

/** Returns the hooks to register, except those of skills whose names another program uses. */
export function wantedHooks(root: string, links: readonly SkillLink[]): HookEntries {
  const skills = links.filter(({ state, target }) => state !== "taken" && target !== null)
    .map(({ name }) => name);
  const text = readTextSync(joinPath(root, "hooks", "hooks.json"), 1024 * 1024);
  const parsed: { hooks: Record<string, HookGroup[]> } = JSON.parse(text);
  const events = Object.entries(parsed.hooks).map(([event, groups]) =>
    [event, groups.flatMap((group) => wantedGroup(root, skills, group))] as const
  );
  return Object.fromEntries(events.filter(([, groups]) => groups.length > 0));
}

export function statusLineCommand(root: string): string {
  return PLUGIN_FOLDER.test(root)
    ? PLUGIN_STATUS_LINE
    : `/bin/sh "${shellEscaped(root)}/bin/trimtab" statusline`;
}

export function isOwnStatusLine(command: unknown): boolean {
  return command === PLUGIN_STATUS_LINE ||
    (typeof command === "string" && OWN_STATUS_LINE.test(command));
}

export function rootOf(command: unknown): string | null {
  const [, root] = (typeof command === "string" && OWN_HOOK.exec(command)) || [];
  return root?.replaceAll(/\\([\\"$`])/g, "$1") ?? null;
}

function wantedGroup(root: string, skills: readonly string[], group: HookGroup): HookGroup[] {
  const hooks = group.hooks.map((hook) => ({
    ...hook,
    command: hook.command.replace("${CLAUDE_PLUGIN_ROOT}", () => shellEscaped(root)),
  }));
  if (group.matcher?.startsWith("trimtab:") !== true) return [{ ...group, hooks }];
  // Without the plugin, the client identifies a skill by its name alone.
  const matcher = group.matcher.replace("trimtab:", "");
  return skills.includes(matcher) ? [{ matcher, hooks }] : [];
}

function shellEscaped(path: string): string {
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  return slashed.replaceAll(/[\\"$`]/g, (char) => `\\${char}`);
}
