import { isObject } from "../core/record.ts";
import { isSameModel } from "../transcript/tokens/window.ts";
import { MAX_SETTINGS_BYTES, readTextSync } from "../store/read_file.ts";

/** A field is missing if no settings file sets it. */
export interface CompactionSettings {
  readonly isEnabled?: boolean;
  /** The client's compaction window, in tokens; infinite for the model's own window. */
  readonly window?: number;
}

export interface SettingsPlace {
  readonly configDir: string | undefined;
  readonly projectDir: string;
  readonly managed?: string;
}

/** In order of precedence: the organization's, the project's local, the project's shared and the user's settings. */
export function readCompactionSettings(place: SettingsPlace, model?: string): CompactionSettings {
  const { configDir, projectDir } = place;
  const paths = [
    place.managed ?? managedPath(),
    `${projectDir}/.claude/settings.local.json`,
    `${projectDir}/.claude/settings.json`,
    ...(configDir === undefined ? [] : [`${configDir}/settings.json`]),
  ];
  let found: CompactionSettings = {};
  for (const path of paths) found = { ...settingsOf(readJson(path), model), ...found };
  return found;
}

function managedPath(): string {
  const { os } = Deno.build;
  const folder = os === "darwin"
    ? "/Library/Application Support/ClaudeCode"
    : os === "windows"
    ? "C:/Program Files/ClaudeCode"
    : "/etc/claude-code";
  return `${folder}/managed-settings.json`;
}

function settingsOf(raw: unknown, model: string | undefined): CompactionSettings {
  if (!isObject(raw)) return {};
  const { autoCompactEnabled: isEnabled, autoCompactWindow: forAll, modelSettings: byModel } = raw;
  const forModel = isObject(byModel) && model !== undefined
    ? Object.entries(byModel).find(([name]) => isSameModel(name, model))?.[1]
    : undefined;
  // A setting for one model overrides the setting for all models.
  const named = isObject(forModel) ? forModel["autoCompactWindow"] ?? forAll : forAll;
  const window = named === "auto" ? Infinity : named;
  return {
    ...(typeof isEnabled === "boolean" ? { isEnabled } : {}),
    ...(typeof window === "number" && window > 0 ? { window } : {}),
  };
}

/** Ignores a missing, unreadable or invalid file; the client itself reports invalid settings. */
function readJson(path: string): unknown {
  try {
    const text = readTextSync(path, MAX_SETTINGS_BYTES);
    return text.includes("autoCompact") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
