/** kill -9 of a real exchange while it settles 1,312 series at once: each settles once, and cash is conserved. */

// @seconds 18

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  apply,
  type Command,
  createState,
  decodeCommand,
  encodeCommand,
  type FillRecord,
  NO_EFFECTS,
  type Series,
  type State,
  stateDigest,
} from '@venue/engine';
import { loadConfig } from '@venue/exchange';
import { type Log, openSqliteLog } from '@venue/log';
import { type Hex, MICROS_PER_UNIT as UNIT } from '@venue/protocol';
import { stampOf } from '@venue/replay';
import { VenueClient, type Wallet, walletFromPrivateKey } from '@venue/sdk';
import { Launched, PATIENCE_MS } from './launched.ts';

const SYMBOL = 'AAPL';
const EXPIRIES = 16;
const SERIES = EXPIRIES * 41 * 2;
const TRADERS = 300;
/** Longs of each series, and as many shorts. */
const PAIRS = 6;
const SPOT = 200;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const FIRST_PRINT_MS = 10 * MINUTE_MS;
const LAST_PRINT_MS = 1_000;
/** When to kill the exchange: this long after its launch, or after it has written this many maintenance entries. */
const MOMENTS = [{ afterMs: 300 }, { slices: 1 }, { slices: 2 }] as const;
/** A busy machine may keep this process from looking until everything has settled. */
const ATTEMPTS_MAX = 20;
const START_LINE = /exchange listening on (\S+)/;

const folder = mkdtempSync(join(tmpdir(), 'venue-settlement-crash-'));
const prepared = join(folder, 'prepared.db');
const path = join(folder, 'venue.db');
const env = {
  VENUE_PORT: '0',
  VENUE_LOG: `sqlite:${path}`,
  VENUE_SYMBOLS: `${SYMBOL}:equity`,
  VENUE_LOG_LEVEL: 'warn',
};
const wallets = Array.from({ length: TRADERS }, (_, i) =>
  walletFromPrivateKey(`0x${(i + 1).toString(16).padStart(64, '0')}` as Hex),
);
let launched: Launched | undefined;

before(prepare);
after(() => {
  launched?.end();
  rmSync(folder, { recursive: true, force: true });
});

test('NUM-6: killed repeatedly while it settles, every series settles once and cash equals what was paid in', async (t) => {
  const beforeCrash = replay(prepared);
  let state: State;
  let venue: VenueClient;

  await t.test('kill -9 hits before and during settlement', async () => {
    state = await killUntilOneLandsInTheMiddle();
  });

  await t.test('restarted, it has settled by the time it answers', async () => {
    launched = new Launched(['exchange'], { env });
    const [, url] = await launched.says(START_LINE);
    venue = new VenueClient({ url: url! });
    const { pendingReview } = await venue.market.meta();
    assert.deepEqual(pendingReview, []);
    assert.deepEqual(await venue.market.series(SYMBOL), []);
    await assertSettlementPrices(venue);
  });

  await t.test('FINE-7: over HTTP an owner has one row per position, and matching cash', async () => {
    for (const wallet of [wallets[0]!, wallets[1]!, wallets[TRADERS - 1]!]) {
      await assertPaidOut(wallet, venue, beforeCrash);
    }
  });

  await t.test('replays from the log, whole and in pieces, give the same state', async () => {
    launched!.process.kill('SIGTERM');
    assert.equal(await launched!.exits(), 0);
    catchUp(state, path);
    const digest = stateDigest(state);
    state = replay(path);
    assert.equal(stateDigest(state), digest);
    assert.equal(stateDigest(replay(path)), digest);
  });

  await t.test('each position was paid once, at intrinsic value, and all payouts sum to zero', () => {
    assertSettledOnce(state, beforeCrash);
    assert.equal(totalCash(state), BigInt(TRADERS * 100_000 * UNIT));
    assert.equal(state.fundedMicros, TRADERS * 100_000 * UNIT);
  });
});

/** Kills at each moment in turn, starting from the prepared log; starts over when none hit during settlement. */
async function killUntilOneLandsInTheMiddle(): Promise<State> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    copyFileSync(prepared, path);
    const state = replay(path);
    let middles = 0;
    for (const moment of MOMENTS) {
      const headSeq = state.seq;
      await kill(headSeq, moment);
      catchUp(state, path);
      if (state.seq > headSeq && isInTheMiddle(state)) middles += 1;
    }
    if (middles > 0) return state;
  }
  throw new Error(`no kill landed in the middle of settling in ${ATTEMPTS_MAX} attempts`);
}

/** True when some series are settled and others still wait in the tick. */
function isInTheMiddle({ settling, series }: State): boolean {
  const left = series.filter(({ status }) => status === 'live').length;
  return settling !== null && settling.length > 0 && left > 0 && left < SERIES;
}

async function kill(headSeq: number, moment: (typeof MOMENTS)[number]): Promise<void> {
  launched = new Launched(['exchange'], { env });
  if ('afterMs' in moment) await sleep(moment.afterMs);
  else await entriesAfter(headSeq, moment.slices);
  launched.process.kill('SIGKILL');
  assert.equal(await launched.exits(), null, 'ended by the signal');
}

/** Waits until this many entries follow one in the log, polling from outside as often as possible. */
async function entriesAfter(headSeq: number, count: number): Promise<void> {
  const db = new DatabaseSync(path, { readOnly: true });
  const newest = db.prepare('SELECT max(seq) AS seq FROM log');
  const untilMs = performance.now() + PATIENCE_MS;
  while (Number(newest.get()!.seq) < headSeq + count) {
    // Once it listens it has settled: this start had less left to do.
    if (START_LINE.test(launched!.output)) break;
    assert.ok(performance.now() < untilMs, `no entry of maintenance; output:\n${launched!.output}`);
    await sleep(1);
  }
  db.close();
}

function replay(file: string): State {
  const state = createState();
  catchUp(state, file);
  return state;
}

/** Applies the log's entries that follow the state. */
function catchUp(state: State, file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT seq, ts, kind, body FROM log WHERE seq > ? ORDER BY seq');
  for (const { seq, ts, kind, body } of rows.iterate(state.seq)) {
    assert.equal(seq, state.seq + 1, 'the log has a gap');
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array);
    apply(
      state,
      { seq: Number(seq), ts: Number(ts), command: decodeCommand(String(kind), bytes) },
      NO_EFFECTS,
    );
  }
  db.close();
}

/**
 * Writes the log of a venue whose expiries have all passed with valid prices, but which stopped before settling them.
 */
async function prepare(): Promise<void> {
  let nowMs = Date.now() - 30 * DAY_MS;
  const expiries = Array.from({ length: EXPIRIES }, (_, i) => Math.floor((nowMs + (i + 1) * DAY_MS) / 1_000));
  const log = await openSqliteLog({ path: prepared, now: () => nowMs });
  // If left open after a failure, its thread would keep this process alive.
  await using _ = { [Symbol.asyncDispose]: () => log.close() };
  await log.writeStamp(stampOf(loadConfig(env).parameters));
  const state = createState();
  await append(log, state, opening(expiries));
  assert.equal(state.series.length, SERIES);
  await append(log, state, state.series.flatMap(trades));
  for (const { holders } of state.series) assert.equal(holders.length, 2 * PAIRS);
  for (const [i, expiryTs] of expiries.entries()) {
    nowMs = expiryTs * 1_000 - FIRST_PRINT_MS;
    await append(log, state, [prints(firstPrice(i))]);
    nowMs = expiryTs * 1_000 - LAST_PRINT_MS;
    await append(log, state, [prints(lastPrice(i))]);
  }
}

async function append(log: Log, state: State, commands: readonly Command[]): Promise<void> {
  const items = commands.map((command) => ({ kind: command.kind, body: encodeCommand(command) }));
  const { firstSeq, ts } = await log.append(items);
  for (const [i, command] of commands.entries()) {
    const outcome = apply(state, { seq: firstSeq + i, ts, command }, NO_EFFECTS);
    assert.ok(!('refusal' in outcome), JSON.stringify(command));
  }
}

/** The process's own parameters, a price, listings, and traders with margin. */
function opening(expiries: readonly number[]): Command[] {
  return [
    { kind: 'configure', parameters: loadConfig(env).parameters },
    prints(SPOT),
    { kind: 'maintain', expiries },
    ...wallets.map(({ address }) => ({ kind: 'open', address }) as Command),
    ...wallets.map(({ address }) => ({ kind: 'margin', account: address, enabled: true }) as Command),
  ];
}

function prints(price: number): Command {
  const row = (source: string, priceMicros: number) => ({ symbol: SYMBOL, source, priceMicros });
  return { kind: 'prints', prints: [row('a', price * UNIT), row('b', price * UNIT + 1_001)] };
}

const firstPrice = (i: number): number => SPOT - 8 + i;
const lastPrice = (i: number): number => firstPrice(i) + 18;

/** Odd quantities, so that payouts round; the unfilled part of each short's offer keeps resting. */
function trades({ seriesId, sid }: Series): Command[] {
  const order = (trader: number, side: 'buy' | 'sell', qtyMicros: number): Command => {
    const account = wallets[(sid * 7 + trader) % TRADERS]!.address as Account['address'] & string;
    return { kind: 'order', account, seriesId, side, qtyMicros, priceMicros: UNIT / 2 };
  };
  const pairs = Array.from({ length: PAIRS }, (_, k) => k);
  return [
    ...pairs.map((k) => order(k, 'sell', 10_007 + 2 * k)),
    ...pairs.map((k) => order(PAIRS + k, 'buy', 10_003 + 2 * k)),
  ];
}

/**
 * The first print counts from the start of the half hour, the last for its last second; the median of two is their
 * mean.
 */
async function assertSettlementPrices(venue: VenueClient): Promise<void> {
  const response = await fetch(`${venue.url}/v1/settlements?symbol=${SYMBOL}`);
  const { settlements } = (await response.json()) as { settlements: { price: number; by: string }[] };
  const average = (i: number, moreMicros: number) => {
    const priceMicros = (price: number) => price * UNIT + moreMicros;
    return Math.floor((priceMicros(firstPrice(i)) * 1_799 + priceMicros(lastPrice(i))) / 1_800);
  };
  const expected = Array.from({ length: EXPIRIES }, (_, i) => {
    return Math.floor((average(i, 0) + average(i, 1_001)) / 2) / UNIT;
  });
  const found = settlements.map(({ price }) => price).sort((a, b) => a - b);
  assert.deepEqual(found, expected);
  assert.ok(settlements.every(({ by }) => by === 'oracle'));
}

async function assertPaidOut(wallet: Wallet, { url }: VenueClient, beforeCrash: State): Promise<void> {
  const venue = new VenueClient({ url });
  const { positions, openOrderCount, cash, buyingPower } = await venue.auth.signIn(wallet);
  assert.deepEqual([positions, openOrderCount, buyingPower], [[], 0, cash]);
  const rows = (await venue.account.fills()).filter(({ kind }) => kind === 'settlement');
  const held = traders(beforeCrash).find(({ address }) => address === wallet.address.toLowerCase())!;
  assert.deepEqual(
    rows
      .map(({ seriesId, qty, side, orderId, fee }) => `${seriesId} ${side} ${qty} ${orderId} ${fee}`)
      .sort(),
    openPositions(held)
      .map(({ series, qtyMicros }) => {
        const side = qtyMicros > 0 ? 'sell' : 'buy';
        return `${series.seriesId} ${side} ${Math.abs(qtyMicros) / UNIT} 0 0`;
      })
      .sort(),
  );
  const paid = rows.reduce((sum, { side, price, qty }) => sum + (side === 'sell' ? price : -price) * qty, 0);
  assert.ok(Math.abs(held.cashMicros / UNIT + paid - cash) <= (rows.length + 1) / UNIT, `${cash}`);
}

function assertSettledOnce(state: State, beforeCrash: State): void {
  assert.deepEqual([...new Set(state.series.map(({ status }) => status))], ['settled']);
  assert.deepEqual([state.orders.count, state.settling], [0, null]);
  const heldBefore = traders(beforeCrash);
  const ids = new Set<number>();
  for (const [i, account] of traders(state).entries()) {
    assert.equal(account.positions.size, 0);
    const rows = [...account.fills].filter(({ kind }) => kind === 'settlement');
    const positions = openPositions(heldBefore[i]!);
    assert.equal(rows.length, positions.length);
    assert.deepEqual(
      new Set(rows.map(signedQty)),
      new Set(positions.map(({ series, qtyMicros }) => `${series.sid} ${qtyMicros}`)),
    );
    for (const { id } of rows) ids.add(id);
    assertCash(account, heldBefore[i]!, rows);
  }
  assert.equal(ids.size, SERIES * 2 * PAIRS, 'a row for each position, each with an id of its own');
  assert.equal(state.lastFillId - beforeCrash.lastFillId, ids.size);
}

function signedQty({ series, side, qtyMicros }: FillRecord): string {
  return `${series.sid} ${side === 'sell' ? qtyMicros : -qtyMicros}`;
}

/** Within a micro per position (NUM-6). */
function assertCash(account: Account, heldBefore: Account, rows: readonly FillRecord[]): void {
  const exact = rows.reduce((sum, { side, priceMicros, qtyMicros }) => {
    return sum + ((side === 'sell' ? priceMicros : -priceMicros) * qtyMicros) / UNIT;
  }, heldBefore.cashMicros as number);
  assert.ok(Math.abs(account.cashMicros - exact) <= rows.length, `account ${account.index}`);
}

function traders({ accounts }: State): Account[] {
  return accounts.filter(({ role }) => role === 'trader');
}

function openPositions({ positions }: Account) {
  return [...positions].filter(({ qtyMicros }) => qtyMicros !== 0);
}

function totalCash({ accounts }: State): bigint {
  return accounts.reduce((sum, { cashMicros }) => sum + BigInt(cashMicros), 0n);
}
