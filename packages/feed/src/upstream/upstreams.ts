/** Lists the sources of live prices. */

import type { InstrumentProfile } from '@venue/protocol/simulation';

/** The names that `--live` takes. */
export const UPSTREAMS = ['crypto', 'pyth'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

/** The symbols of the venue for which an upstream has prices. */
export function symbolsOf(
  { instruments }: { readonly instruments: readonly InstrumentProfile[] },
  upstream: Upstream,
): string[] {
  return instruments
    .filter(({ assetClass }) => (assetClass === 'crypto') === (upstream === 'crypto'))
    .map(({ symbol }) => symbol);
}
