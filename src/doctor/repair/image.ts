/** Replaces images that the API refuses. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { asString } from "../../transcript/entry.ts";
import { readImageSize } from "../../transcript/tokens/pictures.ts";
import type { RescueNote } from "./finding.ts";

/** The longest side, in pixels, that the API accepts in a request with many images. */
export const MAX_IMAGE_PIXELS = 2000;

/** First bytes of the media types that the API accepts, as Latin-1. */
const MAGIC: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

const MAGIC_BYTES = 12;

export function repairImage(
  block: JsonObject,
): { block: JsonObject; note: RescueNote } | undefined {
  const { source } = block;
  if (!isObject(source) || source.type !== "base64") return undefined;
  const bytes = decodeBase64(asString(source.data) ?? "");
  if (bytes === undefined) return removedImage("its data is not valid base64");
  const start = String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES));
  const mediaType = MAGIC.find(([, magic]) => magic.test(start))?.[0];
  if (mediaType === undefined) return removedImage("its data is not an image that the API accepts");
  const size = readImageSize(bytes);
  if (size !== undefined && Math.max(size.width, size.height) > MAX_IMAGE_PIXELS) {
    return removedImage(`${size.width} by ${size.height} pixels, over ${MAX_IMAGE_PIXELS}`);
  }
  if (mediaType === source.media_type) return undefined;
  return {
    block: { ...block, source: { ...source, media_type: mediaType } },
    note: {
      kind: "image",
      action: "replaced",
      what: `an image of type ${mediaType} is declared as ${
        asString(source.media_type) ?? "something else"
      }`,
    },
  };
}

function removedImage(why: string): { block: JsonObject; note: RescueNote } {
  return {
    block: { type: "text", text: `[An image was removed: ${why}]` },
    note: { kind: "image", action: "replaced", what: `an image: ${why}` },
  };
}

function decodeBase64(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(data);
  } catch {
    return undefined;
  }
}
