/** What an installation puts into Claude Code's settings, and how it knows its own entries again. */

import { joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";

export interface HookEntry {
  readonly type: "command";
  readonly command: string;
  /** How long it may take, in seconds. */
  readonly timeout: number;
}

interface HookGroup {
  /** What the event must be about; left out, anything. */
  readonly matcher?: string;
  readonly hooks: readonly HookEntry[];
}

type HookEntries = Readonly<Record<string, readonly HookGroup[]>>;

/** Largest hooks.json of an installation, in bytes. */
const MAX_HOOKS_BYTES = 1024 * 1024;

const PLUGIN_PREFIX = "trimtab:";

const PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}";

const OWN_HOOK = /^(?:\/bin\/)?sh "(.*)\/bin\/trimtab" hook [a-z-]+$/s;
const OWN_STATUS_LINE = /^(?:\/bin\/)?sh ".*\/bin\/trimtab" statusline$/s;

/** A folder in which Claude Code keeps one version of the plugin: the next version has another. */
const PLUGIN_FOLDER = /[/\\]plugins[/\\]cache[/\\][^/\\]+[/\\]trimtab[/\\][^/\\]+$/;

/** Starts whichever version of the plugin came last, so that an update needs no new settings. */
const PLUGIN_STATUS_LINE =
  `/bin/sh -c 'n=; for t in "\${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/plugins/cache/*/trimtab/*/bin/trimtab; ` +
  `do [ -n "$n" ] && [ "$n" -nt "$t" ] || n=$t; done; exec /bin/sh "$n" statusline'`;

/** As installations wrote it that started the shell by its name. */
const EARLIER_STATUS_LINE = PLUGIN_STATUS_LINE.replaceAll("/bin/sh ", "sh ");

export function wantedHooks(root: string, skills: readonly string[]): HookEntries {
  const text = readTextSync(joinPath(root, "hooks", "hooks.json"), MAX_HOOKS_BYTES);
  const parsed: { hooks: Record<string, HookGroup[]> } = JSON.parse(text);
  const events = Object.entries(parsed.hooks).map(([event, groups]) =>
    [event, groups.flatMap((group) => wantedGroup(root, skills, group))] as const
  );
  return Object.fromEntries(events.filter(([, groups]) => groups.length > 0));
}

export function statusLineCommand(root: string): string {
  return PLUGIN_FOLDER.test(root)
    ? PLUGIN_STATUS_LINE
    : `/bin/sh "${quoted(root)}/bin/trimtab" statusline`;
}

/** Tells whether a command of a settings file is a hook of ours, of whatever folder. */
export function isOwnHook(command: unknown): boolean {
  return typeof command === "string" && OWN_HOOK.test(command);
}

/** Tells whether a command of a settings file is the status line that an installation added. */
export function isOwnStatusLine(command: unknown): boolean {
  return command === PLUGIN_STATUS_LINE || command === EARLIER_STATUS_LINE ||
    (typeof command === "string" && OWN_STATUS_LINE.test(command));
}

export function rootOf(command: string): string | null {
  const [, root] = OWN_HOOK.exec(command) ?? [];
  return root?.replaceAll(/\\([\\"$`])/g, "$1") ?? null;
}

function wantedGroup(root: string, skills: readonly string[], group: HookGroup): HookGroup[] {
  const hooks = group.hooks.map((hook) => ({
    ...hook,
    command: hook.command.replace(PLUGIN_ROOT, () => quoted(root)),
  }));
  if (hooks.some(({ command }) => !isOwnHook(command))) {
    throw new TypeError("Cannot install hooks: hooks.json has a command that uninstall would miss");
  }
  if (group.matcher === undefined) return [{ hooks }];
  // The client calls a skill that is not a plugin's by its bare name.
  const matcher = group.matcher.replace(PLUGIN_PREFIX, "");
  return skills.includes(matcher) ? [{ matcher, hooks }] : [];
}

/** A path as it may stand between double quotes in a shell. */
function quoted(path: string): string {
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  return slashed.replaceAll(/[\\"$`]/g, (char) => `\\${char}`);
}
