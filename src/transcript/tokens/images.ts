/** Prices pictures. */

/** The largest picture that a model takes in; a larger one is scaled down to it first. */
export interface ImageLimits {
  edgePixels: number;
  /** The dearest picture, in tokens. */
  tokens: number;
}

/** The limits of models up to Opus 4.6. */
export const STANDARD_IMAGE: Readonly<ImageLimits> = { edgePixels: 1568, tokens: 1568 };

/** The limits of Opus 4.7 and later, as its users report them; no session here shows them. */
export const HIGH_RESOLUTION_IMAGE: Readonly<ImageLimits> = { edgePixels: 2576, tokens: 4784 };

/** The edge of the square that costs one token, in pixels. */
const PATCH_PIXELS = 28;

/**
 * Computes what a picture costs: one token for every square of 28 by 28 pixels that it covers, after
 * scaling it down to the limits. That is width * height / 750 in round figures.
 *
 * Source: "Images and vision" in the documentation of the Claude platform, which gives both forms.
 * The one large picture of the corpus (1421 by 1999, Opus 4.5) was billed at about 1,570.
 */
export function imageTokens(
  width: number,
  height: number,
  limits: Readonly<ImageLimits> = STANDARD_IMAGE,
): number {
  if (!(width > 0 && height > 0 && width < Infinity && height < Infinity)) {
    throw new RangeError(`Cannot price an image: its size is ${width} by ${height} pixels`);
  }
  const scale = Math.min(1, limits.edgePixels / Math.max(width, height));
  const across = Math.ceil(Math.fround(width * scale) / PATCH_PIXELS);
  const down = Math.ceil(Math.fround(height * scale) / PATCH_PIXELS);
  return Math.min(limits.tokens, across * down);
}
