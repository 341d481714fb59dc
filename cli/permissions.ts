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
  /** `true` allows every file. */
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
/** The folder with the key that signs trimtab's own files; the first signature creates the key. */
export const KEY = "CONFIG/trimtab/ours";
export const SESSIONS = ["CONFIG/file-history", "CONFIG/projects", "CONFIG/tasks"];
/** These folders contain no settings, so commands may write to them. */
export const SAVE_PATHS = [
  "PROJECT/.claude/checkpoints",
  "PROJECT/.claude/runtime/context-snapshots",
  OWN_FOLDER,
  "CONFIG/trimtab/checkpoints",
  KEY,
];
/**
 * Files and folders in `.claude` that the launcher or the client later executes, or reads as settings or
 * instructions.
 */
const EXECUTED_NAMES = [
  "CLAUDE.md",
  "agents",
  "commands",
  "hooks",
  "local",
  "output-styles",
  "plugins",
  "rules",
  "settings.json",
  "settings.local.json",
  "shell-snapshots",
  "skills",
  "statusline.sh",
  "trimtab/bin",
  "workflows",
];
/**
 * Only `install` may write these files. Other commands could write them if the project is the home folder,
 * which contains the configuration folder, so the files are denied to those commands.
 */
export const EXECUTED_FILES = EXECUTED_NAMES.map((name) => `CONFIG/${name}`);
/** Denied to commands that may write anywhere in a project's `.claude`. */
const EXECUTED_IN_PROJECT = EXECUTED_NAMES.map((name) => `PROJECT/.claude/${name}`);
/**
 * Variables that the launcher passes on in addition to those in {@linkcode PERMISSIONS}: for Deno, for
 * registries, and for programs that commands start. The launcher removes all others, because some of them
 * make Deno load code, or send or write data.
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

const FOLDERS = ["CONFIG", "PROJECT"];

const READER: Needs = { read: true, env: SHELL_ENV };

const RESTORER: Needs = {
  why: "the record of `--trust`",
  read: true,
  write: [OWN_FOLDER, KEY],
  env: SHELL_ENV,
};

const WARNER: Needs = {
  why: "the last warning",
  read: FOLDERS,
  write: [OWN_FOLDER],
  env: [...PLACE_ENV, ...WINDOW_ENV],
};

/** Keyed by the path of the script or hook. */
export const PERMISSIONS: Readonly<Record<string, Needs>> = {
  "scripts/status.ts": {
    why: "the estimate of what a trim would free",
    read: true,
    write: [OWN_FOLDER, KEY],
    env: [...SHELL_ENV, ...WINDOW_ENV, "COLUMNS"],
  },
  "scripts/trim.ts": {
    why: "the copy, the session's other files, the lineage",
    read: true,
    write: [...SESSIONS, OWN_FOLDER],
    run: ["episodic-memory"],
    env: [...SHELL_ENV, ...WINDOW_ENV, "PATH", "WORK_WORKER_ID"],
  },
  "scripts/show.ts": READER,
  "scripts/keep.ts": {
    why: "a hard link to the transcript",
    read: true,
    write: ["CONFIG/projects", "CONFIG/trimtab/kept"],
    env: SHELL_ENV,
  },
  "scripts/search.ts": READER,
  "scripts/prompt.ts": READER,
  "hooks/user_prompt_expansion.ts": {
    why: "the files that `trim` writes",
    read: true,
    write: [...SESSIONS, OWN_FOLDER, KEY],
    env: [...PLACE_ENV, ...WINDOW_ENV, "WORK_WORKER_ID"],
  },
  "scripts/statusline.ts": {
    why: "the window's true size",
    read: FOLDERS,
    write: [OWN_FOLDER],
    env: [...PLACE_ENV, ...WINDOW_ENV, "COLUMNS", "NO_COLOR"],
  },
  "hooks/user_prompt_submit.ts": WARNER,
  "hooks/post_tool_batch.ts": WARNER,
  "scripts/checkpoint.ts": {
    why: "the checkpoint and the index",
    read: true,
    write: SAVE_PATHS,
    env: [...SHELL_ENV, ...WINDOW_ENV],
  },
  "scripts/verify.ts": READER,
  "scripts/restore.ts": RESTORER,
  "scripts/snapshot.ts": {
    why: "the snapshot",
    read: true,
    write: ["PROJECT/.claude/runtime/context-snapshots", OWN_FOLDER, KEY],
    env: SHELL_ENV,
  },
  "scripts/rehydrate.ts": RESTORER,
  "scripts/list.ts": READER,
  "scripts/fresh_start.ts": RESTORER,
  "scripts/batch.ts": { read: true, env: [...SHELL_ENV, ...WINDOW_ENV] },
  "scripts/watch.ts": {
    why: "the blackboard",
    read: true,
    write: [OWN_FOLDER, KEY],
    env: [...SHELL_ENV, ...WINDOW_ENV],
  },
  "hooks/post_tool_use.ts": {
    why: "long outputs, if shaping is on",
    read: FOLDERS,
    write: [OWN_FOLDER],
    env: PLACE_ENV,
  },
  "scripts/live.ts": {
    why: "the switch",
    read: true,
    write: [OWN_FOLDER, "PROJECT/.claude/trimtab.toml", "CONFIG/trimtab.toml", KEY],
    env: SHELL_ENV,
  },
  "hooks/pre_compact.ts": {
    why: "a checkpoint before a compaction",
    read: FOLDERS,
    write: SAVE_PATHS,
    env: [...PLACE_ENV, ...WINDOW_ENV],
  },
  "hooks/session_start.ts": {
    why: "the lineage; delivered handoffs and messages; unsaved work",
    read: FOLDERS,
    write: [...SAVE_PATHS, "CONFIG/trimtab/told"],
    env: [...PLACE_ENV, "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID", "WORK_WORKER_ID"],
  },
  "hooks/session_end.ts": {
    why: "the lineage",
    read: FOLDERS,
    write: [OWN_FOLDER],
    env: [...PLACE_ENV, ...WINDOW_ENV, "CLAUDE_PID", "WORK_WORKER_ID"],
  },
  "hooks/stop.ts": {
    why: "a checkpoint or a snapshot, when needed",
    read: FOLDERS,
    write: SAVE_PATHS,
    env: [...PLACE_ENV, ...WINDOW_ENV],
  },
  "scripts/rollover.ts": {
    why: "checkpoint, lineage and handoff",
    read: true,
    write: SAVE_PATHS,
    run: ["episodic-memory"],
    env: [...SHELL_ENV, ...WINDOW_ENV, "PATH", "WORK_WORKER_ID"],
  },
  "scripts/report.ts": {
    why: "the page, and the browser for `--open`",
    read: true,
    write: [OWN_FOLDER, "OUTPUT"],
    run: ["explorer", "open", "xdg-open"],
    env: [...SHELL_ENV, ...WINDOW_ENV, "PATH"],
  },
  "scripts/rescue.ts": {
    why: "the repaired copy and the session's other files",
    read: true,
    write: [...SESSIONS, OWN_FOLDER],
    env: SHELL_ENV,
  },
  "scripts/sessions.ts": READER,
  "scripts/install.ts": {
    why: "settings and links; Deno requires full write access to make links",
    read: true,
    write: true,
    env: [...SHELL_ENV, "TRIMTAB_ROOT"],
  },
  "scripts/doctor.ts": {
    why: "the repairs of `--fix`",
    read: true,
    write: ["PROJECT/.claude", "CONFIG/trimtab/checkpoints"],
    deny: EXECUTED_IN_PROJECT,
    sys: ["uid"],
    env: [...SHELL_ENV, "TRIMTAB_ROOT"],
  },
  "scripts/trust.ts": {
    why: "the record of the trusted configuration",
    read: true,
    write: [OWN_FOLDER, KEY],
    env: SHELL_ENV,
  },
  "scripts/clean.ts": {
    why: "the deleted files, and rows of the index",
    read: true,
    write: ["PROJECT/.claude", ...SESSIONS, "CONFIG/trimtab/checkpoints", "CONFIG/trimtab/kept"],
    deny: EXECUTED_IN_PROJECT,
    env: SHELL_ENV,
  },
};
