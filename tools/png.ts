/**
 * Encodes images as PNG. Source: PNG (third edition), sections 5 and 11.
 *
 * @module
 */

export interface PngFormat {
  readonly width: number;
  readonly height: number;
  /** Bits per sample. */
  readonly depth: number;
  /** 0 is grayscale, 6 is RGBA. */
  readonly colourType: number;
}

/** @param rows Each row starts with its filter byte. */
export async function encodePng(
  rows: Uint8Array<ArrayBuffer>,
  { width, height, depth, colourType }: PngFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, colourType, 0, 0, 0], 8);
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
