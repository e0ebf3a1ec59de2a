/** A page that a test speaks to, in the place of the venue. */

import type { TestContext } from 'node:test';
import type { Account, FillRecord } from '@venue/protocol';
import type { LocalAccount, VenueClient } from '@venue/sdk/browser';
import { Market } from '../src/market/market.ts';
import { Allowance } from '../src/session/allowance.ts';
import { Live, type LiveOptions } from '../src/session/live.ts';
import { createStores } from '../src/terminal/stores.ts';
import { accountOver, type ToldHandlers } from './own-channels.ts';

/** The first expiry of the fake venue, and the channel of its chain. */
export const EXPIRY = 4_000_000_000;
export const NAME = `chain:BTC:${EXPIRY}`;

/** Channels that the test speaks for. */
class FakeChannels {
  heardMs: number | null = null;
  isClosed = false;
  retries = 0;
  readonly followed = new Map<string, ToldHandlers>();
  readonly fillsAfter: number[] = [];
  #tellFill = (_: FillRecord) => {};

  listen(name: string, handlers: object): () => void {
    this.followed.set(name, handlers as ToldHandlers);
    return () => this.followed.delete(name);
  }

  account(): LocalAccount {
    return accountOver(this.followed);
  }

  async *fills({ after = 0 }: { after?: number } = {}): AsyncGenerator<FillRecord> {
    this.fillsAfter.push(after);
    for (;;)
      yield await new Promise<FillRecord>((resolve) => {
        this.#tellFill = resolve;
      });
  }

  tellFill(id: number): void {
    this.#tellFill({ id } as FillRecord);
  }

  /** A snapshot or a delta, after which everything is known. */
  tell(name: string, message: object): void {
    const handlers = this.followed.get(name)!;
    handlers.onMessage(message);
    handlers.onRight?.(true);
  }

  retryNow(): void {
    this.retries += 1;
  }

  close(): void {
    this.isClosed = true;
  }
}

/** An answer that does not come. */
export const never = () => new Promise<never>(() => {});
/** Resolves once the answers that are there have been taken. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** An account that the tests tell from others by its cash. */
export const accountOf = (cash: number, seq = 0) => ({
  account: { cash, positions: [], openOrders: [], openOrderCount: 0 } as unknown as Account,
  ...(seq && { seq }),
});

export const leg = (seriesId: string, mid: number) => ({
  seriesId,
  mid,
  iv: 0,
  delta: 0,
  openInterest: 0,
  volume: 0,
});
export const rowOf = (strike: number, mid: number) => ({ strike, call: leg(`C${strike}`, mid), put: null });
/** A snapshot of that chain, without its rows. */
export const CHAIN = { type: 'snapshot', symbol: 'BTC', expiryTs: EXPIRY, spot: 100, sessionOpen: true };

/** A page on channels that the test speaks for, by a clock that it moves. */
export function started(t: TestContext, given: Partial<LiveOptions> = {}) {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const channels = new FakeChannels();
  const stores = createStores();
  const market = new Market();
  const asOf = { chainMs: 0, accountMs: 0 };
  const shown = { nowMs: 1_000, isShown: true };
  const now = () => shown.nowMs;
  const series = async () => [{ expiryTs: EXPIRY, strike: 100 }];
  const client = {
    market: { health: never, series },
    account: { fills: async () => [{ id: 7 }, { id: 5 }] },
  };
  const live = new Live({
    ...{ client: client as unknown as VenueClient, channels: channels as never, stores, market, asOf, now },
    allowance: new Allowance(now),
    send: (act) => act(),
    isShown: () => shown.isShown,
    onFills() {},
    onOtherVenue() {},
    onRefused() {},
    ...given,
  });
  live.start();
  t.after(() => live.stop());
  /** Lets time pass, with or without a sign of life from the venue. */
  const pass = (ms: number, isHeard: boolean) => {
    shown.nowMs += ms;
    if (isHeard) channels.heardMs = shown.nowMs;
    t.mock.timers.tick(250);
  };
  return { live, channels, stores, market, asOf, shown, pass };
}

/** With the chain of the first expiry on the screen. */
export async function withChain(t: TestContext, given: Partial<LiveOptions> = {}) {
  const page = started(t, given);
  const { channels, live } = page;
  live.onLive();
  channels.tell('spots', { type: 'snapshot', spots: [{ symbol: 'BTC', spot: 100, feedFresh: true }] });
  await settled();
  channels.tell(NAME, { ...CHAIN, rows: [rowOf(90, 11), rowOf(100, 5)] });
  page.pass(0, true);
  return page;
}
