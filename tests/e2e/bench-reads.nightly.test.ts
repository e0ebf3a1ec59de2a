/** Small runs of the reads, streams, stream and memory benchmarks: for their checks, not their measurements. */

// @seconds 112

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run as runChannels } from '../../bench/channels/stream.ts';
import { run as runMemory } from '../../bench/engine/memory.ts';
import { run as runReads } from '../../bench/reads/reads.ts';
import { OrdersNotFilled, run as runStreams } from '../../bench/streams/streams.ts';
import { PATIENCE_MS } from './launched.ts';

const RECORD_BYTES = 64;
/** Symbols are listed at the first tick after their first price. */
const env = { VENUE_MAINTENANCE_MS: '500' };

test('reads: every chain, book and account matches what was pushed and traded', async () => {
  const rows = await runReads({
    strikesPerSide: 3,
    openOrders: 40,
    rounds: 1,
    roundMs: 100,
    connections: 2,
    env,
  });
  const cases = rows.map(({ read, quotes }) => `${read}, quotes ${quotes}`);
  const expected = ['chain', 'book', 'me, 40 orders'].flatMap((read) =>
    ['stand', 'change'].map((quotes) => `${read}, quotes ${quotes}`),
  );
  assert.deepEqual(cases, expected);
  assert.ok(rows.every((row) => Number(row['reads/s']) > 0 && Number(row['bare reads/s']) > 0));
});

test('streams: every client receives every fill and move once, even beside clients that do not read', async () => {
  const cases = [{ clients: 110, slow: 2, ticks: 4 }] as const;
  const once = () => runStreams({ cases, rounds: 1, env, settleMs: PATIENCE_MS });
  // An exchange that stood still for seconds answers no orders: on a busy machine the case is run again.
  const again = (error: unknown) => {
    if (error instanceof OrdersNotFilled) return once();
    throw error;
  };
  const [row, bare] = await once().catch(again).catch(again);
  assert.deepEqual([row!.undelivered, row!.dropped], [0, 0]);
  // 110 clients receive 50 fills in each of four ticks; 50 accounts per tick also their own fill and account frames.
  assert.ok(Number(row!.frames) > 110 * 50 * 4 + 50 * 4);
  assert.deepEqual([bare!.undelivered, bare!.frames], [0, 110 * 51 * 4]);
});

test('stream: every client of a follower receives every change of its books and its chain, compressed or not', async () => {
  const rows = await runChannels({
    ...{ clients: 60, moves: 3, rounds: 1, env },
    orders: { connections: 2, batches: 5 },
  });
  assert.deepEqual(
    rows.map(({ server }) => server),
    ['follower', 'deflated', 'bare'],
  );
  // On a busy machine two moves may come in one message.
  for (const { messages } of rows) assert.ok(Number(messages) >= 60 * 21 && Number(messages) <= 60 * 21 * 3);
});

test('memory: the requested number of each kind is added, without a broken invariant', async () => {
  const counts = {
    'orders, 4 series an account': 5_000,
    'orders, each in a series of its own': 5_000,
    'account with cash alone': 500,
    'account with a session key': 500,
    'account with 3 positions': 500,
    'fill in the history': 1_000,
    'series, empty': 164,
    'series, quoted': 164,
  };
  const reports = await runMemory(counts);
  assert.deepEqual(Object.fromEntries(Array.from(reports, ([what, { added }]) => [what, added])), counts);
  // A resting order takes at least a record in the store.
  assert.ok(reports.get('orders, 4 series an account')!.bytes > 5_000 * RECORD_BYTES);
});
