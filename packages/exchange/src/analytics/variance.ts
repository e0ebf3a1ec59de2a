/**
 * The variance that the quotes of one expiry price in, by the method of the VIX (Cboe, "VIX White Paper"): a sum over the
 * options out of the money. Prices and strikes are in one unit, whichever; histories rest on it, so it uses sums, products
 * and quotients alone.
 */

/** The middle of bid and ask; null for an option that lacks one of them. */
export interface QuotedStrike {
  readonly strike: number;
  readonly call: number | null;
  readonly put: number | null;
}

/** The fewest strikes on each side of the forward (HIS-4). */
const STRIKES_MIN = 5;
/** After so many strikes in a row without a price, no further ones count. */
const GAP_MAX = 2;

/**
 * Annual variance of an expiry; null where too few strikes have a price, or none near the forward. Strikes must ascend.
 *
 * @example varianceOf(strikes, 30 / 365) // 0.0185, a volatility of 13.6 %
 */
export function varianceOf(strikes: readonly QuotedStrike[], years: number): number | null {
  const forward = forwardOf(strikes);
  if (forward === null || !(years > 0)) return null;
  const centre = strikes.findLastIndex(({ strike }) => strike <= forward);
  const middle = strikes[centre];
  if (middle === undefined || middle.call === null || middle.put === null) return null;
  const puts = priced(strikes.slice(0, centre).reverse(), ({ put }) => put).reverse();
  const calls = priced(strikes.slice(centre + 1), ({ call }) => call);
  if (Math.min(puts.length, calls.length) < STRIKES_MIN) return null;
  const chosen = [...puts, { strike: middle.strike, price: (middle.call + middle.put) / 2 }, ...calls];
  const gap = forward / middle.strike - 1;
  return (2 * contributions(chosen) - gap * gap) / years;
}

/** The forward by put-call parity, at the strike where call and put are worth most nearly the same. */
function forwardOf(strikes: readonly QuotedStrike[]): number | null {
  let [least, forward]: [number, number | null] = [Number.POSITIVE_INFINITY, null];
  for (const { strike, call, put } of strikes) {
    if (call === null || put === null) continue;
    const apart = Math.abs(call - put);
    if (apart < least) [least, forward] = [apart, strike + call - put];
  }
  return forward;
}

interface Priced {
  readonly strike: number;
  readonly price: number;
}

/** Strikes with a price, from the forward outwards up to the first gap. */
function priced(
  strikes: readonly QuotedStrike[],
  priceOf: (strike: QuotedStrike) => number | null,
): Priced[] {
  const found: Priced[] = [];
  let missing = 0;
  for (const one of strikes) {
    const price = priceOf(one);
    missing = price === null ? missing + 1 : 0;
    if (missing === GAP_MAX) break;
    if (price !== null) found.push({ strike: one.strike, price });
  }
  return found;
}

/** Each price weighs with the distance of its neighbours, halved, over the square of its strike. */
function contributions(chosen: readonly Priced[]): number {
  let sum = 0;
  for (const [i, { strike, price }] of chosen.entries()) {
    const [before, after] = [chosen[i - 1]?.strike, chosen[i + 1]?.strike];
    const width =
      before === undefined ? after! - strike : after === undefined ? strike - before : (after - before) / 2;
    sum += (width / strike / strike) * price;
  }
  return sum;
}
