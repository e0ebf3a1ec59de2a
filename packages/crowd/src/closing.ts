/** When a trader closes what it holds. */

import type { Position } from '@venue/protocol';
import { type PlaceAction, takes, waits } from './orders.ts';
import type { Random } from './random.ts';
import type { Style } from './styles.ts';
import { legOf, type View } from './view.ts';

/** Positions beyond which a trader rather closes one than opens another. */
export const POSITIONS_MAX = 6;
/** Gain and loss, as shares of what was paid, at which a position is closed. */
const [TAKE_PROFIT, STOP_LOSS] = [0.35, -0.4];
/** Those who ran after a move do not wait for it to come back. */
const [QUICK_PROFIT, QUICK_LOSS] = [0.08, -0.08];
/** Some are closed for no reason that anybody sees. */
const WHIM = 0.15;
const PATIENT_SHARE = 0.3;

/** The order that closes a position, or null if it is kept. A whole lot stays with its owner until its expiry. */
export function closingOf(
  position: Position,
  { style, view, random }: { readonly style: Style; readonly view: View; readonly random: Random },
): PlaceAction | null {
  const leg = legOf(view.chain, position);
  if (leg === undefined || !isDone(position, style, view, random)) return null;
  const side = position.qty > 0 ? 'sell' : 'buy';
  const level = side === 'sell' ? leg.bid : leg.ask;
  if (level === null) return null;
  const wish = { leg, side, qty: Math.min(Math.abs(position.qty), level.qty), reduceOnly: true } as const;
  const isPatient = style !== 'momentum' && random.chance(PATIENT_SHARE);
  return (isPatient ? waits(wish, random, view.nowMs) : null) ?? takes(wish);
}

function isDone(position: Position, style: Style, { account }: View, random: Random): boolean {
  const gain = gainOf(position);
  const [most, least] = style === 'momentum' ? [QUICK_PROFIT, QUICK_LOSS] : [TAKE_PROFIT, STOP_LOSS];
  const isFull = account.positions.length >= POSITIONS_MAX;
  return gain >= most || gain <= least || account.marginCall || random.chance(isFull ? 3 * WHIM : WHIM);
}

/** Gain of a position as a share of its premium. */
function gainOf({ qty, avgPrice, mark }: Position): number {
  return avgPrice > 0 ? (Math.sign(qty) * (mark - avgPrice)) / avgPrice : 0;
}
