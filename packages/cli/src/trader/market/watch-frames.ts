/** The frames of `venue watch`, made of channels: prices and trades, and the account with its orders and fills. */

import type { Account, FillRecord, Instrument, StreamFrame, StreamOrder, Trade } from '@venue/protocol';
import { ChannelEndedError, type Channels } from '@venue/sdk';

type OnFrame = (frame: StreamFrame) => void;

/** As many orders as an account shows, the newest. */
const SHOWN_ORDERS = 500;

/**
 * Follows the prices of all underlyings, and the trades of one with the last 50 before, or those of all from now on. Never
 * resolves; rejects with the refusal of a channel.
 */
export function followMarket(
  channels: Pick<Channels, 'listen'>,
  symbol: string | undefined,
  onFrame: OnFrame,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onRefused = (reason: Error) => {
    if (!(reason instanceof ChannelEndedError)) reject(reason);
  };
  const spots = new Map<string, Instrument>();
  const followTrades = (of: string) =>
    channels.listen(`trades:${of}`, { onMessage: tradesTo(onFrame, of, symbol !== undefined), onRefused });
  if (symbol !== undefined) followTrades(symbol);
  channels.listen('spots', {
    onMessage({ spots: rows }) {
      for (const { symbol: of, gone, spot, feedFresh } of rows) {
        if (symbol === undefined && !gone && !spots.has(of)) followTrades(of);
        if (gone) spots.delete(of);
        else spots.set(of, { symbol: of, spot: spot!, feedFresh: feedFresh! });
      }
      onFrame({ type: 'spots', spots: [...spots.values()] });
    },
    onRefused,
  });
  return promise;
}

/** Passes on each trade once; those of the first message only if the past is to be shown. */
function tradesTo(onFrame: OnFrame, symbol: string, isPastShown: boolean) {
  let last = isPastShown ? 0 : Number.POSITIVE_INFINITY;
  return ({ trades }: { readonly trades: readonly Trade[] }) => {
    for (const trade of trades) if (trade.id > last) onFrame({ type: 'tape', symbol, print: printOf(trade) });
    last = trades.at(-1)?.id ?? (Number.isFinite(last) ? last : 0);
  };
}

/**
 * Follows the account with its orders, and its fills from now on. Never resolves; rejects with the refusal of a channel.
 */
export async function followAccount(
  channels: Pick<Channels, 'account' | 'fills'>,
  onFrame: OnFrame,
): Promise<never> {
  const own = channels.account();
  const { promise, reject } = Promise.withResolvers<never>();
  const news = accountTo(onFrame);
  let isShowing = false;
  own.onChange(() => {
    if (own.error !== null) reject(own.error);
    if (isShowing) return;
    isShowing = true;
    // Fills that came with it go first.
    setTimeout(() => {
      isShowing = false;
      if (own.account !== null) news(own.account);
    });
  });
  const follow = async () => {
    for await (const fill of channels.fills()) onFrame({ type: 'fill', fill: fillOf(fill) });
  };
  follow().catch(reject);
  return promise;
}

/** Passes on an account and its orders where more has changed than marks. */
function accountTo(onFrame: OnFrame): (account: Account) => void {
  let [lastAccount, lastOrders] = ['', ''];
  return (whole) => {
    const { guardAt: _, ...account } = whole;
    const openOrders = account.openOrders.map(
      ({ id, seriesId, symbol, side, price, qty, remaining, ts }) => ({
        id,
        seriesId,
        symbol,
        side,
        price,
        qty,
        remaining,
        ts,
      }),
    );
    const orders = openOrders.map(
      ({ id, seriesId, side, price, remaining }): StreamOrder => ({ id, seriesId, side, price, remaining }),
    );
    const [accountKey, ordersKey] = [JSON.stringify(withoutMarks(account)), JSON.stringify(orders)];
    if (accountKey !== lastAccount || ordersKey !== lastOrders)
      onFrame({ type: 'account', account: { ...account, openOrders: openOrders.slice(-SHOWN_ORDERS) } });
    if (ordersKey !== lastOrders) onFrame({ type: 'orders', orders });
    [lastAccount, lastOrders] = [accountKey, ordersKey];
  };
}

/** The part of an account that no mark moves. */
function withoutMarks({ cash, realizedPnl, marginEnabled, held, positions }: Account): object {
  return {
    ...{ cash, realizedPnl, marginEnabled, held },
    positions: positions.map(({ seriesId, qty, avgPrice, realized }) => [seriesId, qty, avgPrice, realized]),
  };
}

function printOf({ seriesId, price, qty, side, ts }: Trade) {
  return { seriesId, price, qty, side, ts };
}

function fillOf({ seriesId, side, price, qty, ts, taker, signer }: FillRecord) {
  return { seriesId, side, price, qty, ts, taker, ...(signer !== undefined && { signer }) };
}
