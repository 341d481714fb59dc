/**
 * Reads files through the client, and writes trimtab's own files in a project.
 *
 * The client refuses to read ranges of pipes, devices and folders, which a cloned project can contain under
 * any name. A lint rule makes every read go through this file.
 */

import { listTracked } from "../core/git_index.ts";
import { IGNORE_EVERYTHING, IGNORE_FILES, ignoresEverything } from "../core/ignore_file.ts";
import type { Client, FileStat } from "./client.ts";

/** The client returns at most this many bytes per read. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

export async function readBytes(
  client: Client,
  path: string,
  { from, to }: { from: number; to: number },
): Promise<Uint8Array> {
  const length = Math.min(CHUNK_BYTES, to - from);
  const { base64 } = await client.fs.read(path, { as: "bytes", offset: from, length });
  return Uint8Array.fromBase64(base64);
}

/** Reads up to {@linkcode CHUNK_BYTES}. Reading text takes half as long as reading bytes. */
export async function readWhole(client: Client, path: string, size: number): Promise<string> {
  return await client.fs.read(path, { as: "text", offset: 0, length: size });
}

/** Returns `undefined` if the file is missing, larger than `maxBytes`, or not a regular file. */
export async function readText(
  client: Client,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const found = await client.fs.stat(path).catch(() => undefined);
  if (found?.kind !== "file" || found.size > maxBytes) return undefined;
  return new TextDecoder().decode(await readBytes(client, path, { from: 0, to: found.size }));
}

const MAX_TEXT_BYTES = 64 * 1024;

/** Reading a larger index would block the client. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;

const MAX_LEVELS = 40;

/** Matches the `.git` file of a worktree, such as `gitdir: /repo/.git/worktrees/a`. */
const POINTER = /^gitdir: (.+)/;

/** `below` has the parts of the file's path below `.claude`. */
interface OwnPath {
  readonly root: string;
  readonly below: readonly [folder: string, ...names: string[]];
}

/**
 * Writes one of trimtab's files, in a folder that git and searches ignore.
 *
 * @throws {TypeError} When the path contains a link that is not allowed, or git tracks the file.
 */
export async function writeOwn(client: Client, path: OwnPath, text: string): Promise<void> {
  const { root, below } = path;
  const [folder] = below;
  await Promise.all([
    refuseLinks(client, root, [folder, IGNORE_FILES.git]),
    refuseLinks(client, root, below),
    refuseTracked(client, path),
  ]);
  const ignore = `${root}/.claude/${folder}/${IGNORE_FILES.git}`;
  if (!ignoresEverything(await readText(client, ignore, MAX_TEXT_BYTES) ?? "")) {
    await refuseTracked(client, { root, below: [folder, IGNORE_FILES.git] });
    await client.fs.write(ignore, IGNORE_EVERYTHING);
    await refuseLinks(client, root, [folder, IGNORE_FILES.search]);
    const search = `${root}/.claude/${folder}/${IGNORE_FILES.search}`;
    if (await statOf(client, search) === undefined) {
      await client.fs.write(search, IGNORE_EVERYTHING);
    }
  }
  await client.fs.write(`${root}/.claude/${below.join("/")}`, text);
}

/** Paths below `.claude` that git tracks, cached until the index's size or modification time changes. */
let tracked: { index: string; stamp: string; paths: Set<string> | undefined } | undefined;

async function refuseTracked(client: Client, { root, below }: OwnPath): Promise<void> {
  const found = await findIndex(client, root);
  if (found === undefined) return;
  const { index, prefix } = found;
  const { size, mtimeMs } = await client.fs.stat(index);
  const stamp = `${size} ${mtimeMs} ${prefix}`;
  if (tracked?.index !== index || tracked.stamp !== stamp) {
    const bytes = size > MAX_INDEX_BYTES ? new Uint8Array(0) : await readAll(client, index, size);
    tracked = { index, stamp, paths: listTracked(bytes, prefix) };
  }
  if (tracked.paths?.has(prefix + below.join("/")) !== true) return;
  throw new TypeError(`git tracks .claude/${below.join("/")}`);
}

/**
 * Finds the index of the repository that contains a project. `prefix` is the path of the project's `.claude`
 * in the repository.
 */
async function findIndex(
  client: Client,
  root: string,
): Promise<{ index: string; prefix: string } | undefined> {
  let folder = root;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const kind = (await statOf(client, `${folder}/.git`))?.kind;
    if (kind !== undefined) {
      const text = kind === "file" ? await readText(client, `${folder}/.git`, MAX_TEXT_BYTES) : "";
      const named = POINTER.exec(text ?? "")?.[1]?.trim();
      const git = named === undefined
        ? `${folder}/.git`
        : /^(?:[\\/]|[A-Za-z]:)/.test(named)
        ? named
        : `${folder}/${named}`;
      const index = `${git}/index`;
      const prefix = `${`${root}/`.slice(folder.length + 1)}.claude/`;
      return (await statOf(client, index))?.kind === "file" ? { index, prefix } : undefined;
    }
    const above = folder.replace(/[\\/][^\\/]*$/, "");
    if (above === folder || above === "") return undefined;
    folder = above;
  }
  return undefined;
}

async function readAll(client: Client, path: string, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    bytes.set(await readBytes(client, path, { from, to: size }), from);
  }
  return bytes;
}

/** Refuses links, because a cloned project can contain links that point anywhere. */
async function refuseLinks(
  client: Client,
  root: string,
  below: readonly string[],
): Promise<void> {
  let place = `${root}/.claude`;
  // Users link `.claude` themselves, so a link there may point anywhere inside the project.
  const settings = await statOf(client, place);
  if (settings?.isLink === true) {
    const [real, from] = [settings.realPath, (await statOf(client, root))?.realPath];
    const isInside = from !== undefined && real?.startsWith(from) === true &&
      /^[\\/]/.test(real.slice(from.length));
    if (!isInside) throw new TypeError(`${place} leads out of the project`);
  }
  for (const name of below) {
    place = `${place}/${name}`;
    if ((await statOf(client, place))?.isLink === true) throw new TypeError(`${place} is a link`);
  }
}

async function statOf(client: Client, path: string): Promise<FileStat | undefined> {
  return await client.fs.stat(path, { resolve: true }).catch(() => undefined);
}
