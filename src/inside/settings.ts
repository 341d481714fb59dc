import { cleanLine } from "../inject/clean.ts";
import { configFiles, MAX_CONFIG_FILE_BYTES } from "../config/files.ts";
import { type ConfigText, mergeTexts } from "../config/merge.ts";
import { DEFAULT_CONFIG, type TrimtabConfig } from "../config/schema.ts";
import { foldersUp } from "../store/paths.ts";
import type { Client } from "./client.ts";
import { readText } from "./files.ts";

const DOCTOR_HINT = "Run trimtab doctor to see what is expected";

/** A transcript's path is `<config>/projects/<project>/<session>.jsonl`. */
const LEVELS_BELOW_CONFIG = 3;

export function configDirOf(transcriptPath: string): string {
  return transcriptPath.split(/[\\/]/).slice(0, -LEVELS_BELOW_CONFIG).join("/");
}

export interface InsideSettings extends TrimtabConfig {
  readonly isPartial: boolean;
  readonly problem: string | undefined;
}

export async function settingsOf(client: Client): Promise<InsideSettings> {
  const [projectDir, { transcriptPath }] = await Promise.all([
    client.session.root(),
    client.session.info(),
  ]);
  const unread: string[] = [];
  const files = configFiles({ projectDir, configDir: configDirOf(transcriptPath) });
  // Each query waits for the client, so the files are read concurrently.
  const texts = await Promise.all(files.map(async ({ layer, path: own }): Promise<ConfigText> => {
    const shared = layer === "work" ? await findSharedFile(client, projectDir) : undefined;
    const path = shared ?? own;
    const text = await client.fs.exists(path)
      ? await readText(client, path, MAX_CONFIG_FILE_BYTES)
      : "";
    if (text === undefined) unread.push(path);
    // The module cannot check trust in a project, so it uses only values that need no trust.
    return { layer, path, text: text ?? "", isTrusted: layer === "user" };
  }));
  if (unread.length > 0) return defaultsFor(`${unread[0]} cannot be read`);
  const { config, wrong, waiting } = mergeTexts(texts);
  if (wrong.length > 0) {
    const parts = wrong.map(({ file, key }) => key === "" ? file : `${key} in ${file}`);
    return defaultsFor(`the configuration is invalid: ${parts.join(", ")}. ${DOCTOR_HINT}`);
  }
  return { ...config, isPartial: waiting.length > 0, problem: undefined };
}

/** Unlike hooks, the module cannot skip another user's file: the client does not report owners. */
async function findSharedFile(client: Client, projectDir: string): Promise<string | undefined> {
  let found: string | undefined;
  for (const folder of foldersUp(projectDir)) {
    const paths = [`${folder}/.work.toml`, `${folder}/.git`];
    const [isShared, isRoot] = await Promise.all(paths.map((path) => client.fs.exists(path)));
    if (isShared) found ??= paths[0];
    if (isRoot) return found;
  }
  return undefined;
}

function defaultsFor(why: string): InsideSettings {
  return {
    ...DEFAULT_CONFIG,
    isPartial: true,
    problem: cleanLine(`using the defaults, because ${why}`),
  };
}
