/**
 * Reads files through the client, and writes trimtab's own files in a project. A lint rule allows reads only
 * here. Every read specifies a range, because the client then refuses the pipes, devices and folders to which
 * any path of a cloned project can lead.
 */

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

/** Reads a file of at most {@linkcode CHUNK_BYTES} as text, which takes half as long as reading bytes. */
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

const MAX_IGNORE_BYTES = 64 * 1024;

/** Writes a file named after the session, in an ignored folder. Throws if a link leads out of it. */
export async function writeOwn(
  client: Client,
  { root, path }: { readonly root: string; readonly path: string },
  text: string,
): Promise<void> {
  const folder = `${root}/.claude/trimtab`;
  const ignore = `${folder}/${IGNORE_FILES.git}`;
  await Promise.all([refuseLinks(client, root, ignore), refuseLinks(client, root, path)]);
  if (await client.fs.exists(ignore)) {
    const text = await readText(client, ignore, MAX_IGNORE_BYTES);
    if (!ignoresEverything(text ?? "")) throw new TypeError(`${ignore} does not ignore everything`);
  } else {
    await client.fs.write(ignore, IGNORE_EVERYTHING);
    const searchIgnore = `${folder}/${IGNORE_FILES.search}`;
    await refuseLinks(client, root, searchIgnore);
    if (await statOf(client, searchIgnore) === undefined) {
      await client.fs.write(searchIgnore, IGNORE_EVERYTHING);
    }
  }
  await client.fs.write(path, text);
}

/** Refuses links, because a cloned project can contain links that point anywhere. */
async function refuseLinks(client: Client, root: string, path: string): Promise<void> {
  let folder = `${root}/.claude`;
  const below = path.slice(folder.length + 1).split("/");
  // Users may replace `.claude` itself with a link, which may point anywhere inside the project.
  const settings = await statOf(client, folder);
  if (settings?.isLink === true) {
    const [linked, project] = [settings.realPath, (await statOf(client, root))?.realPath];
    const isInside = project !== undefined && linked?.startsWith(project) === true &&
      /^[\\/]/.test(linked.slice(project.length));
    if (!isInside) throw new TypeError(`${folder} points outside the project`);
  }
  for (const name of below) {
    folder = `${folder}/${name}`;
    if ((await statOf(client, folder))?.isLink === true) throw new TypeError(`${folder} is a link`);
  }
}

async function statOf(client: Client, path: string): Promise<FileStat | undefined> {
  return await client.fs.stat(path, { resolve: true }).catch(() => undefined);
}
