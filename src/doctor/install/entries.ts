/** Creates and recognizes the entries that an installation adds to Claude Code's settings. */

import { joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";

interface HookEntry {
  readonly type: "command";
  readonly command: string;
  /** Time limit, in seconds. */
  readonly timeout: number;
}

interface HookGroup {
  /** A pattern for tools, or the name of a skill, for which the hooks run; absent if the hooks always run. */
  readonly matcher?: string;
  readonly hooks: readonly HookEntry[];
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

export function wantedHooks(root: string, skills: readonly string[]): HookEntries {
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
  if (hooks.some(({ command }) => rootOf(command) === null)) {
    throw new TypeError(
      "Cannot install hooks: hooks.json has a command that uninstall would not recognize",
    );
  }
  if (group.matcher?.startsWith("trimtab:") !== true) return [{ ...group, hooks }];
  // Without the plugin, the client identifies a skill by its name alone.
  const matcher = group.matcher.replace("trimtab:", "");
  return skills.includes(matcher) ? [{ matcher, hooks }] : [];
}

function shellEscaped(path: string): string {
  const slashed = Deno.build.os === "windows" ? path.replaceAll("\\", "/") : path;
  return slashed.replaceAll(/[\\"$`]/g, (char) => `\\${char}`);
}
