/** The sentence of the ticket on a contract whose cutoff has passed. */

import { type FillRecord, MICROS_PER_UNIT, parseSeriesId, type SettlementList } from '@venue/protocol';
import { formatPnl, formatPrice, formatSize } from '../../../../basics/numbers.ts';
import { intrinsicOf } from '../../../../market/expiry-stage.ts';
import { cashEffect } from '../fill-words.ts';

const WAITS = 'Trading has ended. Resting orders were cancelled; positions settle at the settlement price.';

/**
 * Its settlement price, what it paid, and what the account got; or that it waits.
 *
 * @param fills the account's, in any order
 */
export function expiredWords(
  seriesId: string,
  settlements: SettlementList | null,
  fills: readonly FillRecord[],
): string {
  const terms = parseSeriesId(seriesId);
  const settled = settlements?.settlements.find(
    ({ symbol, expiryTs }) => symbol === terms?.symbol && expiryTs === terms?.expiryTs,
  );
  if (terms === undefined || settled === undefined) return WAITS;
  const contract = {
    optType: terms.right === 'C' ? ('call' as const) : ('put' as const),
    strike: terms.strikeMicros / MICROS_PER_UNIT,
  };
  const payout = intrinsicOf(contract, settled.price);
  const paid = payout > 0 ? `paid ${formatPrice(payout)} each` : 'expired without value';
  const own = fills.find((fill) => fill.kind === 'settlement' && fill.seriesId === seriesId);
  return `It settled at ${formatPrice(settled.price)} and ${paid}.${own === undefined ? '' : ownText(own)}`;
}

function ownText(fill: FillRecord): string {
  const held = `${formatSize(fill.qty)} ${fill.side === 'sell' ? 'long' : 'short'}`;
  return ` Your ${held}: cash ${formatPnl(cashEffect(fill), '$')}, realised ${formatPnl(fill.realized, '$')}.`;
}
