/** Switches live shaping on or off in a configuration file, and leaves its other settings unchanged. */

import { isObject } from "../core/record.ts";
import { writeFileAtomicSync } from "../store/atomic.ts";
import { PRIVATE_FILE_MODE } from "../store/modes.ts";
import { keyPath } from "../store/own_marks.ts";
import { infoOf } from "../store/exists.ts";
import { refuseLinks } from "../store/own_file.ts";
import { readTextSync } from "../store/read_file.ts";
import { ownFolder, parentPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import {
  type ConfigFile,
  configFiles,
  type ConfigLocation,
  MAX_CONFIG_FILE_BYTES,
} from "./files.ts";
import { loadContextConfig, type LoadedConfig } from "./load.ts";
import { parseToml, type TomlTable } from "./toml.ts";
import { isTrustedText, trustText } from "./trust.ts";

type SwitchScope = "user" | "project";

export interface LiveSwitch {
  readonly file: string;
  readonly isChanged: boolean;
  readonly isNewlyTrusted: boolean;
}

const HEADER = /^\uFEFF?[ \t]*\[[ \t]*live[ \t]*\][ \t]*(?:#.*)?$/m;
/** Captures the text from the `[live]` header to the value of `enabled` in the same table. */
const ENABLED =
  /^(\uFEFF?[ \t]*\[[ \t]*live[ \t]*\].*\r?\n(?:(?![ \t]*\[).*\r?\n)*?[ \t]*enabled[ \t]*=[ \t]*)(?:true|false)\b/m;

/** Trusts a project's file if it switches shaping on, or was trusted before. */
export function switchLive(
  isOn: boolean,
  location: ConfigLocation,
  scope: SwitchScope,
): LiveSwitch {
  const file = fileOf(location, scope);
  const { waiting, live } = loadContextConfig(location);
  const before = readText(file.path);
  const isTrusted = before === null || isTrustedText(file, before, location);
  if (isOn && !isTrusted) refuseOtherValues(file, waiting);
  // A project that does not set `enabled` inherits the user's value, so `false` must be written.
  const isInherited = scope === "project" && !isOn && live.enabled;
  const text = withEnabled(before ?? "", isOn, isInherited);
  if (text === null) {
    throw new TypeError(
      `Cannot change ${file.path}: it does not set \`enabled\` on its own line in a [live] table. ` +
        `Set live.enabled to ${isOn} by hand`,
    );
  }
  const isChanged = text !== (before ?? "");
  const shouldTrust = scope === "project" && file.layer === "project" && (isOn || isTrusted);
  if (shouldTrust && (isChanged || !isTrusted)) trustText(file, text, location);
  if (isChanged) writeText(file, text, location);
  return { file: file.path, isChanged, isNewlyTrusted: shouldTrust && !isTrusted };
}

function fileOf(location: ConfigLocation, scope: SwitchScope): ConfigFile {
  const files = configFiles(location);
  // If the project is the home folder, both scopes use the same file.
  const file = files.find(({ layer }) => layer === scope) ??
    files.find(({ layer }) => layer === "user");
  if (file !== undefined) return file;
  throw new TypeError(
    "Cannot find your configuration: neither CLAUDE_CONFIG_DIR nor HOME is set",
  );
}

function readText(path: string): string | null {
  const info = infoOf(path);
  if (info === null) return null;
  if (!info.isFile) {
    throw new TypeError(
      `Cannot change ${path}: it is not a regular file. Set [live] enabled in its target`,
    );
  }
  refuseLinks(parentPath(path));
  return readTextSync(path, MAX_CONFIG_FILE_BYTES);
}

/** Throws if the file sets other untrusted values, because trust applies to a whole file. */
function refuseOtherValues({ path }: ConfigFile, waiting: LoadedConfig["waiting"]): void {
  const others = waiting.filter(({ file, key }) => file === path && key !== "live.enabled");
  if (others.length === 0) return;
  const keys = others.map(({ key }) => key).join(", ");
  throw new TypeError(
    `Cannot switch live shaping on for this project: ${path} also sets ${keys}, which would take ` +
      "effect with it. Check the file, accept it with `trimtab trust`, then try again",
  );
}

/** Returns null if the changed text would not produce the expected configuration. */
function withEnabled(text: string, isOn: boolean, isInherited: boolean): string | null {
  const parsed = parseToml(text);
  const isOff = !isOn && !isInherited && parsed["live"] === undefined;
  if (isEnabled(parsed) === isOn || isOff) return text;
  const changed = setLine(text, isOn);
  try {
    return isEnabled(parseToml(changed)) === isOn ? changed : null;
  } catch {
    return null;
  }
}

function isEnabled({ live }: TomlTable): unknown {
  return isObject(live) ? live["enabled"] : undefined;
}

function setLine(text: string, isOn: boolean): string {
  if (ENABLED.test(text)) return text.replace(ENABLED, `$1${isOn}`);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const line = `enabled = ${isOn}`;
  if (HEADER.test(text)) return text.replace(HEADER, `$&${end}${line}`);
  const above = text === "" || text.endsWith("\n") ? text : text + end;
  const gap = /(?:^|\n\r?\n)$/.test(above) ? "" : end;
  return `${above}${gap}[live]${end}${line}${end}`;
}

/** Other programs own the target's folder, so the temporary file goes into one of trimtab's folders. */
function writeText({ layer, path }: ConfigFile, text: string, location: ConfigLocation): void {
  const folder = layer === "user"
    ? parentPath(keyPath(parentPath(path)))
    : ownFolder(location.projectDir);
  ensurePrivateDirSync(folder);
  const mode = (infoOf(path)?.mode ?? PRIVATE_FILE_MODE) & 0o777;
  writeFileAtomicSync(path, text, { temporaryIn: folder, mode });
}
