/** What the client's settings say about compacting by itself. */

/** What they say. A field that is missing is not set. */
export interface CompactionSettings {
  /** Whether the client compacts by itself. */
  readonly isEnabled?: boolean;
  /** The window that it compacts for, in tokens. */
  readonly window?: number;
}

export interface SettingsPlace {
  /** The client's configuration folder; undefined where there is none. */
  readonly configDir: string | undefined;
  readonly projectDir: string;
}

/** No file of settings is larger, in bytes. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Reads the settings of project and user: what is said for this project alone counts first. */
export function readCompactionSettings(place: SettingsPlace, model?: string): CompactionSettings {
  const { configDir, projectDir } = place;
  const paths = [
    `${projectDir}/.claude/settings.local.json`,
    `${projectDir}/.claude/settings.json`,
    ...(configDir === undefined ? [] : [`${configDir}/settings.json`]),
  ];
  let found: CompactionSettings = {};
  for (const path of paths) found = { ...settingsOf(readJson(path), model), ...found };
  return found;
}

function settingsOf(raw: unknown, model: string | undefined): CompactionSettings {
  if (!isRecord(raw)) return {};
  const { autoCompactEnabled: isEnabled, autoCompactWindow: named } = raw;
  const window = isRecord(named) && model !== undefined ? named[model] : named;
  return {
    ...(typeof isEnabled === "boolean" ? { isEnabled } : {}),
    ...(typeof window === "number" && Number.isSafeInteger(window) && window > 0 ? { window } : {}),
  };
}

/** A file that is not there, not readable or not JSON says nothing: the client reads it, not we. */
function readJson(path: string): unknown {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile || size > MAX_SETTINGS_BYTES) return undefined;
    const text = Deno.readTextFileSync(path);
    return text.includes("autoCompact") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
