/** Checks a log after a soak by replaying every entry. */

import assert from 'node:assert/strict';
import {
  apply,
  type BookSide,
  BUY,
  createState,
  decodeCommand,
  type Effects,
  equityMicros,
  HOUSE,
  houseExposureMicros,
  MAKER,
  NO_EFFECTS,
  parametersOf,
  SELL,
  type Series,
  type State,
  stateDigest,
} from '@venue/engine';
import { type LogEntry, openSqliteLog } from '@venue/log';
import type { Trade } from '@venue/protocol';
import { assertAuditChain, assertInvariants } from '../../packages/engine/sim/invariants.ts';
import { createLogger } from '../../packages/exchange/src/observe/logger.ts';
import { loadState } from '../../packages/exchange/src/snapshots/snapshots.ts';
import { tradeView } from '../../packages/exchange/src/views/market.ts';
import type { Shown, ShownBook } from './stream-watch.ts';

export interface Replay {
  readonly entries: number;
  readonly ms: number;
  /** Entries and bytes of their bodies, by kind. */
  readonly kinds: ReadonlyMap<string, { readonly entries: number; readonly bytes: number }>;
  /** Orders by status. */
  readonly orders: ReadonlyMap<string, number>;
  readonly fills: number;
  readonly liquidations: number;
  readonly exposureMaxUsd: number;
  readonly makerEquityUsd: number;
  readonly houseEquityUsd: number;
  /** The total debt of traders with negative cash. */
  readonly uncollectibleUsd: number;
  readonly snapshots: number;
}

const MICROS = 1_000_000;
const WHOLE_CHECK_EVERY = 1_000;

/**
 * Applies every entry of the log to an empty state. After each, no book is crossed, cash is conserved and the maker is
 * within its credit line; periodically and at the end all invariants hold; at each snapshot the digests match, and the
 * newest restores to the same state; what the channels showed is what the replay has. Throws otherwise.
 */
export async function replayAndCheck(path: string, shown: Shown): Promise<Replay> {
  const log = await openSqliteLog({ path });
  try {
    const digests = new Map((await log.loadSnapshots()).map(({ seq, digest }) => [seq, digest]));
    assert.ok(digests.size > 0, 'a clean stop leaves a snapshot');
    const replay = new Replaying(digests, shown);
    const { promise: broken, reject } = Promise.withResolvers<never>();
    const onError = (error: unknown) => reject(error);
    const follower = log.follow(1, (entries) => replay.take(entries), { onError });
    await Promise.race([follower.caughtUp, broken]);
    const restored = await loadState(log, createLogger('warn'));
    assert.ok(restored !== null, 'the newest snapshot can be restored');
    return replay.finish(restored);
  } finally {
    await log.close();
  }
}

class Replaying {
  readonly #state: State = createState();
  readonly #digests: ReadonlyMap<number, string>;
  readonly #kinds = new Map<string, { entries: number; bytes: number }>();
  readonly #orders = new Map<string, number>();
  readonly #startedMs = performance.now();
  readonly #shown: Shown;
  readonly #trades: Trade[] = [];
  readonly #effects: Effects = {
    ...NO_EFFECTS,
    printed: (print) => {
      if (print.series.instrument.symbol === this.#shown.symbol) this.#trades.push(tradeView(print));
    },
  };
  #exposureMaxMicros = 0;

  constructor(digests: ReadonlyMap<number, string>, shown: Shown) {
    this.#digests = digests;
    this.#shown = shown;
  }

  take(entries: readonly LogEntry[]): void {
    for (const entry of entries) this.#takeOne(entry);
  }

  finish(restored: State): Replay {
    const state = this.#state;
    assertInvariants(state);
    assertAuditChain(state);
    assert.deepEqual(this.#shown.trades, this.#trades, 'the trades of the channel');
    assert.equal(restored.seq, state.seq, 'a clean stop leaves a snapshot of the last entry');
    assert.equal(stateDigest(restored), stateDigest(state), 'the newest snapshot restores to the replay');
    const fills = state.accounts.flatMap((account) => [...account.fills]);
    const traders = state.accounts.filter(({ role }) => role === 'trader');
    return {
      entries: state.seq,
      ms: performance.now() - this.#startedMs,
      kinds: this.#kinds,
      orders: this.#orders,
      fills: state.lastFillId,
      liquidations: fills.filter(({ kind }) => kind === 'liquidation').length,
      exposureMaxUsd: this.#exposureMaxMicros / MICROS,
      makerEquityUsd: equityMicros(state, state.accounts[MAKER]!) / MICROS,
      houseEquityUsd: equityMicros(state, state.accounts[HOUSE]!) / MICROS,
      uncollectibleUsd: traders.reduce((sum, { cashMicros }) => sum + Math.max(0, -cashMicros), 0) / MICROS,
      snapshots: this.#digests.size,
    };
  }

  #takeOne({ seq, ts, kind, body }: LogEntry): void {
    const state = this.#state;
    const outcome = apply(state, { seq, ts, command: decodeCommand(kind, body) }, this.#effects);
    const { entries, bytes } = this.#kinds.get(kind) ?? { entries: 0, bytes: 0 };
    this.#kinds.set(kind, { entries: entries + 1, bytes: bytes + body.length });
    // The bots' orders go by batch.
    for (const result of 'results' in outcome ? outcome.results : [])
      if (result.type === 'place')
        this.#orders.set(result.status, (this.#orders.get(result.status) ?? 0) + 1);
    this.#check(seq);
  }

  #check(seq: number): void {
    const state = this.#state;
    for (const series of state.series) assertNotCrossed(state, series);
    const cash = state.accounts.reduce((sum, { cashMicros }) => sum + BigInt(cashMicros), 0n);
    assert.equal(cash, BigInt(state.fundedMicros), `cash after entry ${seq}`);
    if (state.parameters !== null) {
      const exposure = houseExposureMicros(state);
      assert.ok(exposure <= parametersOf(state).houseLineMicros, `exposure after entry ${seq}`);
      this.#exposureMaxMicros = Math.max(this.#exposureMaxMicros, exposure);
    }
    for (const book of this.#shown.books.get(seq) ?? []) assertShown(state, book);
    if (seq % WHOLE_CHECK_EVERY === 0) assertInvariants(state);
    const digest = this.#digests.get(seq);
    if (digest !== undefined) assert.equal(stateDigest(state), digest, `digest of the snapshot of ${seq}`);
  }
}

/** A book that a channel showed, against all orders of the series. */
function assertShown(state: State, { seriesId, bids, asks }: ShownBook): void {
  const series = state.series.find((one) => one.seriesId === seriesId);
  assert.ok(series !== undefined, seriesId);
  assert.deepEqual(
    { bids, asks },
    { bids: levelsOf(state, series, BUY), asks: levelsOf(state, series, SELL) },
    `${seriesId} after entry ${state.seq}`,
  );
}

function levelsOf({ orders }: State, { book }: Series, side: BookSide): [number, number][] {
  const levels = new Map<number, number>();
  for (let h = book.best(side); h !== null; h = book.next(h)) {
    const price = orders.price(h);
    levels.set(price, (levels.get(price) ?? 0) + orders.remaining(h));
  }
  return [...levels].map(([price, qty]) => [price / MICROS, qty / MICROS]);
}

function assertNotCrossed({ orders, seq }: State, { book, seriesId }: State['series'][number]): void {
  const [bid, ask] = [book.best(BUY), book.best(SELL)];
  if (bid === null || ask === null || orders.price(bid) < orders.price(ask)) return;
  assert.fail(`${seriesId} is crossed after entry ${seq}`);
}
