/**
 * Defines the prices of tokens relative to a fresh input token, so that no currency is needed. Source: the
 * page "Pricing" of the Claude platform's documentation, as of November 2026.
 */

export const PRICE_RATIOS = {
  input: 1,
  cacheRead: 0.1,
  cacheWrite5m: 1.25,
  cacheWrite1h: 2,
  output: 5,
};

export const SHORT_TTL_SECONDS = 300;

/** The price of Sonnet 5.5 applies from 7 October 2026. */
const CHEAPER_READS: readonly (readonly [name: RegExp, cacheRead: number])[] = [
  [/claude-(?:fable|mythos)-5[-.]1(?!\d)/i, 0.025],
  [/claude-(?:opus|sonnet)-5[-.]5(?!\d)/i, 0.05],
];

export function priceRatios(model: string | undefined): typeof PRICE_RATIOS {
  const cheaper = CHEAPER_READS.find(([name]) => name.test(model ?? ""));
  return cheaper === undefined ? PRICE_RATIOS : { ...PRICE_RATIOS, cacheRead: cheaper[1] };
}
