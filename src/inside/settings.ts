/**
 * The configuration as the module can read it: what the files say, as far as it takes no library to
 * read them.
 */

import { checkFile } from "../config/check.ts";
import { type ConfigFile, configFiles, isSilentText } from "../config/files.ts";
import { CONFIG_TABLES, configOf, type ConfigTable, type TrimtabConfig } from "../config/schema.ts";
import { isNoLouder } from "../config/quieter.ts";
import { parseSimpleToml } from "../config/simple_toml.ts";
import type { Client } from "./client.ts";

/** A transcript lies so many folders below the client's configuration. */
const BELOW_CONFIG = 3;

/** Reads the configuration; `undefined` where a file says what only a command can read, or is wrong. */
export async function readSettings(
  client: Client,
  projectDir: string,
  transcriptPath: string,
): Promise<TrimtabConfig | undefined> {
  const configDir = transcriptPath.split(/[\\/]/).slice(0, -BELOW_CONFIG).join("/");
  const values: Record<ConfigTable, Record<string, unknown>> = {
    context: {},
    live: {},
    inside: {},
  };
  let own = configOf(values);
  for (const file of configFiles({ projectDir, configDir })) {
    const text = await readText(client, file);
    if (text === undefined || isSilentText(file.layer, text)) continue;
    const read = checkText(file, text);
    if (read === undefined) return undefined;
    for (const table of CONFIG_TABLES) {
      const quiet = Object.entries(read[table] ?? {}).filter(([key, value]) => {
        const before: Readonly<Record<string, unknown>> = { ...own[table] };
        // Whether a project is trusted the module cannot tell: it goes by what needs no trust.
        return file.layer === "user" || isNoLouder(table, key, value, before[key]);
      });
      Object.assign(values[table], Object.fromEntries(quiet));
    }
    if (file.layer === "user") own = configOf(values);
  }
  return configOf(values);
}

async function readText(client: Client, { path }: ConfigFile): Promise<string | undefined> {
  return await client.fs.exists(path) ? await client.fs.read(path) : undefined;
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
