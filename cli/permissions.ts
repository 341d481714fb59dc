/**
 * The permissions of every command and hook. `deno task reference` generates the launcher's table and the
 * page in docs/reference from this file.
 *
 * In paths, `CONFIG` means Claude Code's configuration folder, `PROJECT` the project folder, and `OUTPUT` the
 * file given with `-o`.
 */

export interface Needs {
  /** Describes the files written and the programs started; absent if there are none. */
  readonly why?: string;
  readonly read?: true | readonly string[];
  readonly write?: true | readonly string[];
  /** Files that are never written, in addition to {@linkcode EXECUTED_FILES}. */
  readonly deny?: readonly string[];
  readonly run?: readonly string[];
  readonly sys?: readonly string[];
  readonly env?: readonly string[];
}

const PLACE_ENV = ["CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "HOME", "USERPROFILE"];
const SHELL_ENV = [...PLACE_ENV, "CLAUDE_CODE_SESSION_ID"];
const WINDOW_ENV = [
  "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
  "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
  "CLAUDE_CODE_DISABLE_1M_CONTEXT",
  "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
  "DISABLE_AUTO_COMPACT",
  "DISABLE_COMPACT",
];
const OWN_FOLDER = "PROJECT/.claude/trimtab";
const SNAPSHOTS = "PROJECT/.claude/runtime/context-snapshots";
/** The folder of the key that signs trimtab's own files; the first use creates the key. */
export const KEY_FOLDER = "CONFIG/trimtab/ours";
export const SESSIONS = ["CONFIG/file-history", "CONFIG/projects", "CONFIG/tasks"];
/** These folders contain no settings, so commands may write to them. */
export const SAVE_PATHS = [
  "PROJECT/.claude/checkpoints",
  SNAPSHOTS,
  OWN_FOLDER,
  "CONFIG/trimtab/checkpoints",
  KEY_FOLDER,
];
/** Files and folders that the launcher or the client executes, or reads as settings or instructions. */
const EXECUTED_NAMES = [
  "CLAUDE.md agents commands hooks local output-styles plugins rules settings.json",
  "settings.local.json shell-snapshots skills statusline.sh trimtab/bin workflows",
].flatMap((names) => names.split(" "));
/** Only `install` may write these, even if the project is the home folder, which contains `CONFIG`. */
export const EXECUTED_FILES = EXECUTED_NAMES.map((name) => `CONFIG/${name}`);
const EXECUTED_IN_PROJECT = EXECUTED_NAMES.map((name) => `PROJECT/.claude/${name}`);
/**
 * Variables that the launcher passes on in addition to those in {@linkcode PERMISSIONS}. It removes all others,
 * because some of them make Deno load code, or send or write data.
 */
export const PASSED_VARIABLES: readonly string[] = [
  // The operating system, the shell and the locale.
  "APPDATA COMSPEC ComSpec HOMEDRIVE HOMEPATH LOCALAPPDATA LOGNAME LANG LC_ALL LC_CTYPE MSYSTEM",
  "PATH PATHEXT PROGRAMDATA PWD SHELL SHLVL SYSTEMROOT SystemRoot TEMP TERM TMP TMPDIR TZ USER",
  "USERNAME WINDIR windir",
  // Deno and package registries.
  "COLORTERM DENO_AUTH_TOKENS DENO_CERT DENO_DIR DENO_EMIT_CACHE_MODE DENO_NO_UPDATE_CHECK",
  "DENO_TLS_CA_STORE DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS FORCE_COLOR NODE_AUTH_TOKEN NPM_TOKEN",
  "XDG_CACHE_HOME NPM_CONFIG_REGISTRY SSL_CERT_DIR SSL_CERT_FILE npm_config_registry",
  "ALL_PROXY HTTPS_PROXY HTTP_PROXY NO_PROXY all_proxy https_proxy http_proxy no_proxy",
  // Needed to open a page in a browser.
  "DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION DISPLAY WAYLAND_DISPLAY WSLENV WSL_DISTRO_NAME",
  "WSL_INTEROP XAUTHORITY XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_CURRENT_DESKTOP XDG_DATA_DIRS",
  "XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_TYPE",
  // episodic-memory, which asks Claude for summaries.
  "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN",
  "EPISODIC_MEMORY_API_BASE_URL EPISODIC_MEMORY_API_MODEL EPISODIC_MEMORY_API_MODEL_FALLBACK",
  "EPISODIC_MEMORY_API_TIMEOUT_MS EPISODIC_MEMORY_API_TOKEN EPISODIC_MEMORY_CONFIG_DIR",
  "EPISODIC_MEMORY_DB_PATH",
].flatMap((names) => names.split(" "));

type Paths = readonly string[];

const READER: Needs = { read: true, env: SHELL_ENV };

/** Returns the permissions of a command. Commands may read every file. */
function writer(
  why: string,
  write: Paths,
  more: Pick<Needs, "deny" | "run" | "sys" | "env"> = {},
): Needs {
  return { ...READER, why, write, ...more, env: [...SHELL_ENV, ...more.env ?? []] };
}

/** Returns the permissions of a hook, which reads only the configuration folder and the project. */
function hook(why: string, write: Paths, env: Paths = []): Needs {
  return { why, read: ["CONFIG", "PROJECT"], write, env: [...PLACE_ENV, ...env] };
}

const RESTORER = writer("the record of `--trust`", [OWN_FOLDER, KEY_FOLDER]);

const WARNER = hook("the last warning", [OWN_FOLDER], WINDOW_ENV);

/** Keyed by the path of the script or hook. */
export const PERMISSIONS: Readonly<Record<string, Needs>> = {
  "scripts/status.ts": writer("the estimate of what a trim would free", [OWN_FOLDER, KEY_FOLDER], {
    env: [...WINDOW_ENV, "COLUMNS"],
  }),
  "scripts/trim.ts": writer("the copy, the session's other files, the lineage", [
    ...SESSIONS,
    OWN_FOLDER,
  ], { run: ["episodic-memory"], env: [...WINDOW_ENV, "PATH", "WORK_WORKER_ID"] }),
  "scripts/show.ts": READER,
  "scripts/keep.ts": writer("a hard link to the transcript", [
    "CONFIG/projects",
    "CONFIG/trimtab/kept",
  ]),
  "scripts/search.ts": READER,
  "scripts/prompt.ts": READER,
  "hooks/user_prompt_expansion.ts": {
    ...hook("the files that `trim` writes", [...SESSIONS, OWN_FOLDER, KEY_FOLDER], [
      ...WINDOW_ENV,
      "WORK_WORKER_ID",
    ]),
    read: true,
  },
  "scripts/statusline.ts": hook("the window's true size", [OWN_FOLDER], [
    ...WINDOW_ENV,
    "COLUMNS",
    "NO_COLOR",
  ]),
  "hooks/user_prompt_submit.ts": WARNER,
  "hooks/post_tool_batch.ts": WARNER,
  "scripts/checkpoint.ts": writer("the checkpoint and the index", SAVE_PATHS, { env: WINDOW_ENV }),
  "scripts/verify.ts": READER,
  "scripts/restore.ts": RESTORER,
  "scripts/snapshot.ts": writer("the snapshot", [SNAPSHOTS, OWN_FOLDER, KEY_FOLDER]),
  "scripts/rehydrate.ts": RESTORER,
  "scripts/list.ts": READER,
  "scripts/fresh_start.ts": RESTORER,
  "scripts/batch.ts": { read: true, env: [...SHELL_ENV, ...WINDOW_ENV] },
  "scripts/watch.ts": writer("the blackboard", [OWN_FOLDER, KEY_FOLDER], { env: WINDOW_ENV }),
  "hooks/post_tool_use.ts": hook("long outputs, if shaping is on", [OWN_FOLDER]),
  "scripts/live.ts": writer("the switch", [
    OWN_FOLDER,
    "PROJECT/.claude/trimtab.toml",
    "CONFIG/trimtab.toml",
    KEY_FOLDER,
  ]),
  "hooks/pre_compact.ts": hook("a checkpoint before a compaction", SAVE_PATHS, WINDOW_ENV),
  "hooks/session_start.ts": hook(
    "the lineage; delivered handoffs and messages; unsaved work",
    [...SAVE_PATHS, "CONFIG/trimtab/told"],
    ["CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID", "WORK_WORKER_ID"],
  ),
  "hooks/session_end.ts": hook("the lineage", [OWN_FOLDER], [
    ...WINDOW_ENV,
    "CLAUDE_PID",
    "WORK_WORKER_ID",
  ]),
  "hooks/stop.ts": hook("a checkpoint or a snapshot, when needed", SAVE_PATHS, WINDOW_ENV),
  "scripts/rollover.ts": writer("checkpoint, lineage and handoff", SAVE_PATHS, {
    run: ["episodic-memory"],
    env: [...WINDOW_ENV, "PATH", "WORK_WORKER_ID"],
  }),
  "scripts/report.ts": writer("the page, and the browser for `--open`", [OWN_FOLDER, "OUTPUT"], {
    run: ["explorer", "open", "xdg-open"],
    env: [...WINDOW_ENV, "PATH"],
  }),
  "scripts/rescue.ts": writer("the repaired copy and the session's other files", [
    ...SESSIONS,
    OWN_FOLDER,
  ]),
  "scripts/sessions.ts": READER,
  "scripts/install.ts": {
    why: "settings and links; Deno requires full write access to create links",
    read: true,
    write: true,
    env: [...SHELL_ENV, "TRIMTAB_ROOT"],
  },
  "scripts/doctor.ts": writer("the repairs of `--fix`", [
    "PROJECT/.claude",
    "CONFIG/trimtab/checkpoints",
  ], { deny: EXECUTED_IN_PROJECT, sys: ["uid"], env: ["TRIMTAB_ROOT"] }),
  "scripts/trust.ts": writer("the record of the trusted configuration", [OWN_FOLDER, KEY_FOLDER]),
  "scripts/clean.ts": writer("the deleted files, and rows of the index", [
    "PROJECT/.claude",
    ...SESSIONS,
    "CONFIG/trimtab/checkpoints",
    "CONFIG/trimtab/kept",
  ], { deny: EXECUTED_IN_PROJECT }),
};
