/** The terms of an order from the options of the command line. Faults are reported before anything is sent (BAT-1). */

import {
  CLIENT_ID,
  isRestingTif,
  type PlaceActionWire,
  type SelfTradePrevention,
  type TimeInForce,
} from '@venue/protocol';
import { usageError } from '../../base/command-error.ts';
import { amountOf, instantOf, seriesOf } from '../../connection/arguments.ts';
import { durationMs } from './durations.ts';
import { type Slippage, slippageOf } from './slippage.ts';
import { SLIPPAGE_PERCENT } from './slippage-default.ts';

export interface TermOptions {
  readonly limit?: string;
  readonly market?: true;
  readonly slippage?: string;
  readonly tif?: TimeInForce;
  readonly expires?: string;
  readonly postOnly?: true;
  readonly reduceOnly?: true;
  readonly stp?: SelfTradePrevention;
  readonly clientId?: string;
}

export interface OrderWords {
  readonly side: 'buy' | 'sell';
  readonly series: string;
  readonly qty: string;
}

/** An order that still lacks the limit that its slippage gives it, if it has one. */
export interface WantedOrder {
  readonly action: PlaceActionWire;
  /** Null for no bound, and for an order with a limit. */
  readonly slippage: Slippage;
}

/** The order that the words and options ask for. Throws `CommandError` for options that exclude each other. */
export function wantedOrder({ side, series, qty }: OrderWords, options: TermOptions): WantedOrder {
  const { limit, market } = options;
  if ((limit === undefined) === (market === undefined))
    throw usageError('an order has either --limit PRICE or --market');
  if (market === undefined && options.slippage !== undefined)
    throw usageError('--slippage belongs to --market: --limit is a bound itself');
  const action: PlaceActionWire = {
    type: 'place',
    seriesId: seriesOf(series),
    side,
    qty: amountOf('the quantity', qty),
    ...(limit !== undefined && { price: amountOf('--limit', limit) }),
    ...inForce(options),
    ...flagsOf(options),
  };
  return { action, slippage: market ? slippageOf(options.slippage ?? SLIPPAGE_PERCENT) : null };
}

type InForce = Pick<PlaceActionWire, 'tif' | 'expiresAt'>;

function inForce({ market, tif, expires }: TermOptions): InForce {
  if (market && (expires !== undefined || (tif !== undefined && isRestingTif(tif))))
    throw usageError('an order at the market never rests: --tif is ioc or fok');
  if (expires !== undefined && tif !== undefined && tif !== 'gtd')
    throw usageError(`--expires belongs to --tif gtd, not to ${tif}`);
  if (tif === 'gtd' && expires === undefined) throw usageError('--tif gtd needs --expires TIME');
  if (expires !== undefined) return { tif: 'gtd', expiresAt: expiryOf(expires) };
  // A bound turns an order at the market into a limit order, whose default would be to rest.
  return tif === undefined && market ? { tif: 'ioc' } : { ...(tif && { tif }) };
}

/** A length of time from now, or an instant. */
function expiryOf(text: string): number {
  const ms = durationMs(text);
  return ms === null ? instantOf('--expires', text, 'a length of time like 15m, ') : Date.now() + ms;
}

function flagsOf({ market, tif = 'gtc', postOnly, reduceOnly, ...options }: TermOptions) {
  const isResting = !market && isRestingTif(tif);
  if (postOnly && reduceOnly) throw usageError('--post-only and --reduce-only exclude each other');
  if (postOnly && !isResting)
    throw usageError('--post-only is for orders that rest: --limit with --tif gtc or gtd');
  if (reduceOnly && isResting)
    throw usageError('--reduce-only is for orders that never rest: --market, or --tif ioc or fok');
  const { stp, clientId } = options;
  if (clientId !== undefined && !CLIENT_ID.test(clientId))
    throw usageError(
      `--client-id is 1 to 36 letters, digits, _ and -, the first a letter or digit, not "${clientId}"`,
    );
  return {
    ...(postOnly && { postOnly }),
    ...(reduceOnly && { reduceOnly }),
    ...(stp && { stp }),
    ...(clientId !== undefined && { clientId }),
  };
}
