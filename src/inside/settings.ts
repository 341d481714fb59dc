/**
 * The configuration as the module can read it: what the files say, as far as it takes no library to
 * read them.
 */

import { checkFile } from "../config/check.ts";
import {
  type ConfigFile,
  configFiles,
  isSilentText,
  MAX_CONFIG_FILE_BYTES,
} from "../config/files.ts";
import { CONFIG_TABLES, configOf, type ConfigTable, type TrimtabConfig } from "../config/schema.ts";
import { isNoLouder } from "../config/quieter.ts";
import { parseSimpleToml } from "../config/simple_toml.ts";
import type { Client } from "./client.ts";
import { readText } from "./files.ts";

/** A transcript lies so many folders below the client's configuration. */
const BELOW_CONFIG = 3;

/** The client's configuration folder. */
export function configDirOf(transcriptPath: string): string {
  return transcriptPath.split(/[\\/]/).slice(0, -BELOW_CONFIG).join("/");
}

/** The configuration, as far as the module can tell it. */
export interface InsideSettings extends TrimtabConfig {
  /** Whether a project's file says more, which counts where the project is trusted. */
  readonly isPartial: boolean;
}

/** Reads the configuration; `undefined` where a file says what only a command can read, or is wrong. */
export async function readSettings(
  client: Client,
  projectDir: string,
  transcriptPath: string,
): Promise<InsideSettings | undefined> {
  const configDir = configDirOf(transcriptPath);
  const values: Record<ConfigTable, Record<string, unknown>> = {
    context: {},
    live: {},
    inside: {},
  };
  let own = configOf(values);
  let isPartial = false;
  for (const file of configFiles({ projectDir, configDir })) {
    if (!await client.fs.exists(file.path)) continue;
    const text = await readText(client, file.path, MAX_CONFIG_FILE_BYTES);
    if (text === undefined) return undefined;
    if (isSilentText(file.layer, text)) continue;
    const read = checkText(file, text);
    if (read === undefined) return undefined;
    for (const table of CONFIG_TABLES) {
      const entries = Object.entries(read[table] ?? {});
      const quiet = entries.filter(([key, value]) => {
        const before: Readonly<Record<string, unknown>> = { ...own[table] };
        // Whether a project is trusted the module cannot tell: it goes by what needs no trust.
        return file.layer === "user" || isNoLouder(table, key, value, before[key]);
      });
      isPartial ||= quiet.length < entries.length;
      Object.assign(values[table], Object.fromEntries(quiet));
    }
    if (file.layer === "user") own = configOf(values);
  }
  return { ...configOf(values), isPartial };
}

function checkText(
  file: ConfigFile,
  text: string,
): ReturnType<typeof checkFile>["values"] | undefined {
  try {
    const { values, problems } = checkFile(file, parseSimpleToml(text));
    return problems.length === 0 ? values : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
