import type { Series } from '@venue/protocol';

/** Strikes by expiry, both ascending. */
export function strikesOf(series: readonly Series[]): ReadonlyMap<number, readonly number[]> {
  const strikes = new Map<number, Set<number>>();
  for (const { expiryTs, strike } of series.toSorted((a, b) => a.expiryTs - b.expiryTs)) {
    const known = strikes.get(expiryTs);
    if (known === undefined) strikes.set(expiryTs, new Set([strike]));
    else known.add(strike);
  }
  return new Map([...strikes].map(([expiryTs, of]) => [expiryTs, [...of].sort((a, b) => a - b)]));
}
