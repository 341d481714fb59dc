/** Reads the size of a picture from its first bytes, and computes its cost in tokens. */

interface ImageSize {
  width: number;
  height: number;
}

const FIRST_FRAME = 0xc0;

const LAST_FRAME = 0xcf;

/** Markers between {@linkcode FIRST_FRAME} and {@linkcode LAST_FRAME} that do not begin a frame. */
const NON_FRAME_MARKERS = [0xc4, 0xc8, 0xcc];

/** Supports PNG, JPEG, GIF and WebP. Returns `undefined` for other bytes, and for an incomplete header. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  try {
    const size = sizeIn(bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // A `DataView` throws for a position beyond its end.
    return undefined;
  }
}

function sizeIn(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("\x89PNG\r\n\x1a\n")) {
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (head.startsWith("GIF8")) {
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (head.startsWith("\xff\xd8\xff")) return readJpeg(view);
  return /^RIFF[^]{4}WEBP/.test(head) ? readWebp(view, head.slice(12)) : undefined;
}

/** Other segments can come before the first frame, which contains the size. */
function readJpeg(view: DataView): ImageSize | undefined {
  let position = 2;
  while (view.getUint8(position) === 0xff) {
    const marker = view.getUint8(position + 1);
    if (marker >= FIRST_FRAME && marker <= LAST_FRAME && !NON_FRAME_MARKERS.includes(marker)) {
      return { width: view.getUint16(position + 7), height: view.getUint16(position + 5) };
    }
    // A marker may be padded with more 0xff bytes.
    position += marker === 0xff ? 1 : 2 + view.getUint16(position + 2);
  }
  return undefined;
}

function readWebp(view: DataView, chunk: string): ImageSize | undefined {
  if (chunk === "VP8 ") {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (chunk === "VP8L") {
    const packed = view.getUint32(21, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
  }
  if (chunk !== "VP8X") return undefined;
  const width = view.getUint16(24, true) + view.getUint8(26) * 0x10000 + 1;
  return { width, height: view.getUint16(27, true) + view.getUint8(29) * 0x10000 + 1 };
}

/** Limits for models up to Opus 4.6. */
export const STANDARD_IMAGE = { edgePixels: 1568, tokens: 1568 };

/** Limits for Opus 4.7 and later, as reported by users. */
export const HIGH_RESOLUTION_IMAGE = { edgePixels: 2576, tokens: 4784 };

const PATCH_PIXELS = 28;

/**
 * Computes the cost of a picture, scaled down to the limits: one token for every square of 28 by 28 pixels,
 * as in "Images and vision" in the documentation of the Claude platform.
 */
export function imageTokens(
  width: number,
  height: number,
  limits = STANDARD_IMAGE,
): number {
  const scale = Math.min(1, limits.edgePixels / Math.max(width, height));
  const across = Math.ceil(Math.fround(width * scale) / PATCH_PIXELS);
  const down = Math.ceil(Math.fround(height * scale) / PATCH_PIXELS);
  return Math.min(limits.tokens, across * down);
}
