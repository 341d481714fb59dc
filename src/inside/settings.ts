/** Reads the configuration through the client. */

import { configFiles, MAX_CONFIG_FILE_BYTES } from "../config/files.ts";
import { type ConfigText, mergeTexts, orderProblem } from "../config/merge.ts";
import { configOf, type TrimtabConfig } from "../config/schema.ts";
import type { Client } from "./client.ts";
import { readText } from "./files.ts";

/** Depth of a transcript below the client's configuration folder. */
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

/** Reads the configuration; `undefined` where a file is wrong. */
export async function readSettings(
  client: Client,
  projectDir: string,
  transcriptPath: string,
): Promise<InsideSettings | undefined> {
  const texts: ConfigText[] = [];
  for (const file of configFiles({ projectDir, configDir: configDirOf(transcriptPath) })) {
    if (!await client.fs.exists(file.path)) continue;
    const text = await readText(client, file.path, MAX_CONFIG_FILE_BYTES);
    if (text === undefined) return undefined;
    // The module cannot tell whether a project is trusted, so it uses only what needs no trust.
    texts.push({ ...file, text, isTrusted: file.layer === "user" });
  }
  const { values, origins, problems, waiting } = mergeTexts(texts);
  if (problems.length > 0 || orderProblem(values.context, origins) !== null) return undefined;
  return { ...configOf(values), isPartial: waiting.length > 0 };
}
