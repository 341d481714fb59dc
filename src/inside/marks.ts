/** Marks what the module saves as ours, as commands do: else they would take it for a stranger's. */

import { signText } from "../store/sha256.ts";
import type { Client } from "./client.ts";
import { readText, writeOwn } from "./files.ts";
import { configDirOf } from "./settings.ts";
import { shellOf } from "./copy.ts";

const KEY_BYTES = 32;

/** Largest key file, in bytes: the digits and a line feed. */
const MAX_KEY_BYTES = 2 * KEY_BYTES + 1;

/** How a key stands in its file. */
const KEY_TEXT = /^[0-9a-f]{64}\n?$/;

/** Makes a key that nobody else can read, unless there is one: files of the client's are for all. */
const MAKE_KEY = 'PATH=/usr/bin:/bin; umask 077; mkdir -p "$1" && set -C && cat >"$1/key"';

/** How long that may take, in milliseconds. */
const MAKE_TIMEOUT_MS = 5_000;

/** Marks a file of the project by what will be in it; its name is new, so it has no mark yet. */
export async function markOwn(client: Client, name: string, text: string): Promise<void> {
  const [root, { transcriptPath }] = await Promise.all([
    client.session.root(),
    client.session.info(),
  ]);
  const key = await readKey(client, `${configDirOf(transcriptPath)}/trimtab/ours`);
  const { realPath = root } = await client.fs.stat(root, { resolve: true });
  const seal = signText(key, `file ${name}`, realPath, text);
  await writeOwn(client, { root, below: ["trimtab", "marks", name] }, `${seal}\n`);
}

async function readKey(client: Client, folder: string): Promise<Uint8Array> {
  if (!await client.fs.exists(`${folder}/key`)) {
    const shell = shellOf(await client.process.hookEnv());
    await client.process.run([shell, "-c", MAKE_KEY, "sh", folder], {
      env: {},
      stdin: `${crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toHex()}\n`,
      timeoutMs: MAKE_TIMEOUT_MS,
    });
  }
  const text = await readText(client, `${folder}/key`, MAX_KEY_BYTES) ?? "";
  if (!KEY_TEXT.test(text)) throw new TypeError(`${folder}/key is no key`);
  return Uint8Array.fromHex(text.trimEnd());
}
