/** Orders of the tray that sell short while margin is off. */

import { microsOf } from '../../../../basics/micros.ts';
import type { Holdings } from '../../../../session/state.ts';
import type { TrayTerms } from './terms.ts';

/**
 * True where the order sells more of a contract than is held while margin is off, which the venue refuses once the books
 * come to the price; false while the account is not known.
 */
export function lacksMargin(
  { legs, qty }: Pick<TrayTerms, 'legs' | 'qty'>,
  { account, positions }: Pick<Holdings, 'account' | 'positions'>,
): boolean {
  if (account === null || account.marginEnabled) return false;
  return legs.some(({ seriesId, side, ratio }) => {
    const held = positions.get(seriesId)?.qty ?? 0;
    return side === 'sell' && microsOf(ratio * qty - held) > 0;
  });
}
