/** Prices of equities and indices from Pyth's Hermes: the aggregate price, at both ends of its confidence interval. */

import type { PriceBoard } from './board.ts';
import { type Hooks, reasonOf } from './connection.ts';
import { Hermes, type ParsedPrice, parseUpdate } from './hermes.ts';
import { FeedIds } from './pyth-ids.ts';

/**
 * Pyth publishes a price with a confidence interval. The two bounds are the sources: their median is the price
 * itself, and their dispersion is Pyth's own uncertainty, so the oracle refuses a settlement when that is large. They
 * are not independent of each other.
 */
export const PYTH_SOURCES = { low: 'pyth:low', high: 'pyth:high' };

export interface PythOptions {
  readonly url: string;
  /** Bearer token of a paid endpoint. */
  readonly token?: string | null;
  readonly symbols: readonly string[];
  /** Price feed ids by symbol; missing ones are looked up. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly board: PriceBoard;
  readonly log: (line: string) => void;
}

/** A price with a larger uncertainty is dropped. */
const DOUBT_BPS_MAX = 500;

/** A listener for `keepConnected`. */
export function pythListener(options: PythOptions): (signal: AbortSignal, hooks: Hooks) => Promise<string> {
  // The connection is retried as a whole, so single requests are not.
  const client = new Hermes({ url: options.url, token: options.token ?? null });
  const ids = new FeedIds(client, options);
  for (const symbol of options.symbols)
    for (const source of Object.values(PYTH_SOURCES)) options.board.expect(symbol, source);
  return async (signal, hooks) => {
    const symbolOf = await ids.load(signal);
    if (symbolOf.size === 0) return 'no price feed id is known';
    if (signal.aborted) return 'closed';
    const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
    const stream = client.stream([...symbolOf.keys()], {
      onMessage: (data) => {
        if (readUpdate(data, symbolOf, options.board)) hooks.alive();
      },
      onEnd: (reason) => lose(reasonOf(reason)),
    });
    signal.addEventListener('abort', () => lose('closed'));
    const reason = await lost;
    stream.close();
    return reason;
  };
}

/** Puts the prices of a message on the board; returns whether it was a Hermes message at all. */
function readUpdate(data: string, symbolOf: ReadonlyMap<string, string>, board: PriceBoard): boolean {
  const update = parseUpdate(data);
  if (update === undefined) board.drop('garbled');
  for (const parsed of update?.parsed ?? []) {
    const symbol = symbolOf.get(parsed.id.replace(/^0x/, '').toLowerCase());
    if (symbol !== undefined) readPrice(symbol, parsed, board);
  }
  return update !== undefined;
}

function readPrice(symbol: string, { id, price: quoted, metadata }: ParsedPrice, board: PriceBoard): void {
  const { expo, publish_time: publishTime } = quoted;
  const price = board.judge({
    symbol,
    source: 'pyth',
    price: scaled(quoted.price, expo),
    upstreamMs: publishTime * 1_000,
    // Prices of one second share their publish time.
    id: `${id} ${publishTime} ${metadata.slot ?? quoted.price}`,
  });
  if (price === null) return;
  const doubt = scaled(quoted.conf, expo);
  if (!(doubt >= 0 && doubt <= (price * DOUBT_BPS_MAX) / 10_000)) {
    board.drop('uncertain');
    return;
  }
  board.publish({ symbol, source: PYTH_SOURCES.low, price: toMicro(price - doubt) });
  board.publish({ symbol, source: PYTH_SOURCES.high, price: toMicro(price + doubt) });
}

// A double holds 15 digits, of which the micro of a price of a million needs 12.
function scaled(digits: string, expo: number): number {
  return /^-?\d+$/.test(digits) ? Number(`${digits}e${expo}`) : Number.NaN;
}

function toMicro(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}
