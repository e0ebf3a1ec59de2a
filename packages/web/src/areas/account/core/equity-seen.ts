/** The account's equity as this page has seen it, by the minute: the venue's history has a sample an hour. */

import { venueNowMs } from '../../../market/clock.ts';
import type { MarketStores } from '../../../market/state.ts';
import type { SessionStores } from '../../../session/state.ts';

export const MINUTE_MS = 60_000;
/** A day. */
const MINUTES_KEPT = 1_440;
const ACCOUNTS_KEPT = 8;
const SAMPLE_EVERY_MS = 5_000;

/** All that was seen within a minute, in dollars; `t` is its start in unix ms. */
export interface SeenMinute {
  readonly t: number;
  readonly low: number;
  readonly high: number;
  readonly last: number;
}

const NONE: readonly SeenMinute[] = [];

/** The minutes of each account, oldest first, without those in which the page heard nothing of it. */
export class SeenEquity {
  readonly #byAccount = new Map<string, readonly SeenMinute[]>();

  of(address: string): readonly SeenMinute[] {
    return this.#byAccount.get(address) ?? NONE;
  }

  /** Takes an equity at a time in unix ms; one from before the newest minute is left out. */
  take(address: string, { equity, nowMs }: { readonly equity: number; readonly nowMs: number }): void {
    const known = this.of(address);
    const last = known.at(-1);
    const t = nowMs - (nowMs % MINUTE_MS);
    if (!Number.isFinite(equity) || (last !== undefined && t < last.t)) return;
    const minute = {
      t,
      low: Math.min(equity, last?.t === t ? last.low : equity),
      high: Math.max(equity, last?.t === t ? last.high : equity),
      last: equity,
    };
    const before = last?.t === t ? known.slice(0, -1) : known;
    // Put at the end, so that the account that was seen longest ago is the first to go.
    this.#byAccount.delete(address);
    this.#byAccount.set(address, [...before, minute].slice(-MINUTES_KEPT));
    if (this.#byAccount.size > ACCOUNTS_KEPT) this.#byAccount.delete(this.#byAccount.keys().next().value!);
  }
}

/** Records each equity the page receives, and repeats the last one while the link is live: no message means no change. */
export function seeEquity(seen: SeenEquity, stores: SessionStores & Pick<MarketStores, 'link'>): void {
  const look = () => {
    const { state, address } = stores.session.getState();
    const { account } = stores.holdings.getState();
    // While another account signs in, the holdings are still those of the one before.
    if (state !== 'ready' || address === null || account === null) return;
    if (stores.link.getState().state === 'live')
      seen.take(address, { equity: account.equity, nowMs: venueNowMs(stores.link) });
  };
  stores.holdings.subscribe(({ account }, before) => {
    if (account !== before.account) look();
  });
  setInterval(look, SAMPLE_EVERY_MS);
}

interface Words {
  readonly format: (value: number) => string;
  /** A time in unix ms, to the minute. */
  readonly time: (ms: number) => string;
}

/** The newest equity, and the range of all that the page has seen; null before it has seen any. */
export function seenWords(minutes: readonly SeenMinute[], { format, time }: Words): string | null {
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (first === undefined || last === undefined) return null;
  const low = Math.min(...minutes.map((minute) => minute.low));
  const high = Math.max(...minutes.map((minute) => minute.high));
  const range = low === high ? `always ${format(low)}` : `between ${format(low)} and ${format(high)}`;
  return `${format(last.last)} now; as this page has seen it, ${range} since ${time(first.t)}.`;
}
