/** Reads how large a picture is from the first bytes of its file. */

interface ImageSize {
  width: number;
  height: number;
}

/** JPEG markers that are frames; the three between them are tables. */
const FIRST_FRAME = 0xc0;
const LAST_FRAME = 0xcf;
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/** Reads the header of a PNG, JPEG, GIF or WebP file. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = has(bytes, 0, "\x89PNG\r\n\x1a\n")
    ? readPng(view)
    : has(bytes, 0, "\xff\xd8\xff")
    ? readJpeg(view)
    : has(bytes, 0, "GIF8")
    ? readGif(view)
    : has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP")
    ? readWebp(bytes, view)
    : undefined;
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function has(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (bytes[at + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

function readPng(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The size stands in the first frame, behind as many other segments as the camera liked. */
function readJpeg(view: DataView): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker >= FIRST_FRAME && marker <= LAST_FRAME && !NO_FRAMES.includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    // A marker may be padded with more of the byte that starts it.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  if (view.byteLength < 30) return undefined;
  if (has(bytes, 12, "VP8 ")) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (has(bytes, 12, "VP8L")) {
    const packed = view.getUint32(21, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
  }
  if (!has(bytes, 12, "VP8X")) return undefined;
  const width = view.getUint16(24, true) + view.getUint8(26) * 0x10000 + 1;
  return { width, height: view.getUint16(27, true) + view.getUint8(29) * 0x10000 + 1 };
}
