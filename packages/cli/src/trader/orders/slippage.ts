/** Bounds how far an order at the market may trade from the best price that it found. */

import { type Book, decimalToMicros, microsToDecimal, mulDivCeil, mulDivFloor } from '@venue/protocol';
import { CommandError, usageError } from '../../base/command-error.ts';
import { decimalText } from '../../terminal/numbers.ts';

const PERCENT = /^\d{1,3}(?:\.\d{1,4})?$/;
/** A percent in steps of 0.0001. */
const STEPS_OF_ALL = 1_000_000;

/** Parts in a million beyond the best price, or null for no bound. */
export type Slippage = number | null;

/**
 * `5` is 5 %, `none` is no bound.
 *
 * @example slippageOf('0.5') // 5000
 */
export function slippageOf(text: string): Slippage {
  if (text === 'none') return null;
  const percent = PERCENT.test(text) ? Number(text) : Number.NaN;
  if (!(percent <= 100)) throw usageError(`--slippage is a percentage from 0 to 100 or none, not "${text}"`);
  return Math.round(percent * (STEPS_OF_ALL / 100));
}

/** A limit beyond the best opposite price. */
export interface Bound {
  readonly price: number;
  /** `5 % above the best ask of 100.00`, for people. */
  readonly words: string;
}

/** The worst price to trade at, never beyond the slippage. Throws `CommandError` where nothing rests opposite. */
export function boundOf(book: Book, side: 'buy' | 'sell', slippage: number): Bound {
  const [best] = side === 'buy' ? book.asks : book.bids;
  const name = side === 'buy' ? 'ask' : 'bid';
  if (best === undefined)
    throw new CommandError(
      `nobody ${side === 'buy' ? 'offers' : 'bids for'} ${book.seriesId} now: nothing was sent; --limit waits for it`,
    );
  const price = beyond(best.price, side, slippage);
  const direction = side === 'buy' ? 'above' : 'below';
  const percent = decimalText(slippage / (STEPS_OF_ALL / 100), [0, 4]);
  return { price, words: `${percent} % ${direction} the best ${name} of ${decimalText(best.price, [2, 6])}` };
}

function beyond(price: number, side: 'buy' | 'sell', slippage: number): number {
  const micros = decimalToMicros(price)!;
  return microsToDecimal(
    side === 'buy'
      ? mulDivFloor(micros, STEPS_OF_ALL + slippage, STEPS_OF_ALL)
      : // A limit of nothing at all is no price.
        (Math.max(1, mulDivCeil(micros, STEPS_OF_ALL - slippage, STEPS_OF_ALL)) as typeof micros),
  );
}
