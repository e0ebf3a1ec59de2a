/** A large account, like that of a manual market maker: hundreds of positions, and orders that fill books. */

import type { Hex, Series } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

export interface AccountSize {
  readonly positions: number;
  readonly orders: number;
}

export const LARGE: AccountSize = { positions: 210, orders: 1_588 };
const AT_ONCE = 16;
const QTY = 0.01;
/** Far below every quote. */
const BID = 0.5;

/** Trades until it has them, in paper mode; returns the key for the page. Throws the venue's refusals. */
export async function openLargeAccount(url: string, series: readonly Series[], size = LARGE): Promise<Hex> {
  const key = randomPrivateKey();
  const client = new VenueClient({ url });
  await client.auth.approveSession(walletFromPrivateKey(key));
  const place = async (seriesId: string, price: number, qty: number) => {
    const answer = await client.orders.place({ seriesId, side: 'buy', price, qty });
    if (answer.status === 'rejected') throw new Error(answer.reason);
  };
  await inTurns(size.positions, async (i) => {
    const { seriesId } = series[i]!;
    const { asks } = await client.market.book(seriesId);
    await place(seriesId, asks[0]!.price * 2, QTY);
  });
  await inTurns(size.orders, (i) => place(series[i % series.length]!.seriesId, BID + (i % 7) / 100, QTY));
  const { positions, openOrderCount } = await client.account.me();
  if (positions.length !== size.positions || openOrderCount !== size.orders)
    throw new Error(`${positions.length} positions and ${openOrderCount} orders`);
  return key;
}

async function inTurns(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
