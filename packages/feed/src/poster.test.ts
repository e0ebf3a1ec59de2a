import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Poster, type PrintSink } from './poster.ts';
import type { PriceTick, Print } from './tick.ts';

const BACKOFF = { firstMs: 1, limitMs: 2 };

function tick(atMs: number, ...prices: [source: string, price: number][]): PriceTick {
  return { atMs, prints: prices.map(([source, price]) => ({ symbol: 'BTC', source, price })) };
}

/** A venue that accepts prints once `failures` posts have failed. */
class Sink implements PrintSink {
  readonly posts: { atMs: number; prints: readonly Print[] }[] = [];
  #failures: number;

  constructor(failures = 0) {
    this.#failures = failures;
  }

  async prints(prints: readonly Print[]) {
    if (this.#failures-- > 0) throw new Error('connection refused');
    this.posts.push({ atMs: performance.now(), prints });
    return { ok: true as const, accepted: prints.length, rejected: 0, rowErrors: [] };
  }
}

async function run(
  sink: Sink,
  ticks: Iterable<PriceTick>,
  signal = new AbortController().signal,
): Promise<string[]> {
  const lines: string[] = [];
  await new Poster({ sink, signal, log: (line) => lines.push(line), backoff: BACKOFF }).run(ticks);
  return lines;
}

test('each tick is one post at its time', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sink = new Sink();
  const ran = run(sink, [tick(0, ['a', 1], ['b', 2]), tick(60, ['a', 3])]);
  for (; nowMs < 100; nowMs += 1) {
    await turn();
    t.mock.timers.tick(1);
  }
  assert.deepEqual(await ran, []);
  assert.deepEqual(
    sink.posts.map(({ prints }) => prints.map(({ price }) => price)),
    [[1, 2], [3]],
  );
  assert.deepEqual(
    sink.posts.map(({ atMs }) => atMs),
    [0, 60],
  );
});

test('a tick without prices is not posted', async () => {
  const sink = new Sink();
  await run(sink, [tick(0), tick(1, ['a', 1])]);
  assert.equal(sink.posts.length, 1);
});

test('a failed post is repeated with the newest price of each channel, and reported once', async () => {
  const sink = new Sink(3);
  const lines = await run(sink, [tick(0, ['a', 1], ['b', 2]), tick(1, ['a', 3]), tick(2, ['a', 4])]);
  assert.deepEqual(
    sink.posts[0]!.prints.map(({ source, price }) => [source, price]),
    [
      ['a', 4],
      ['b', 2],
    ],
  );
  assert.deepEqual(lines, ['cannot post prices, trying again: connection refused', 'posting again']);
});

test('ticks that are long overdue go out together', async () => {
  const sink = new Sink();
  function* overdue() {
    for (let i = 0; i < 100; i++) yield tick(-60_000 + i, ['a', i]);
    yield tick(0, ['b', 1]);
  }
  await run(sink, overdue());
  assert.deepEqual(
    sink.posts.map(({ prints }) => prints.map(({ price }) => price)),
    [[99, 1]],
  );
});

test('the signal ends a run immediately, between ticks and while the exchange is down', async () => {
  for (const sink of [new Sink(), new Sink(Number.POSITIVE_INFINITY)]) {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const startedMs = performance.now();
    await run(sink, [tick(0, ['a', 1]), tick(60_000, ['a', 2])], stop.signal);
    assert.ok(performance.now() - startedMs < 30_000);
    assert.ok(sink.posts.length <= 1);
  }
});

test('ORA-1: a live price that could not be posted in time is not posted as a new one', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const posted: string[][] = [];
  const sink: PrintSink = {
    async prints(prints) {
      if (nowMs === 0) {
        nowMs = 41;
        throw new Error('the answer took too long');
      }
      posted.push(prints.map(({ source }) => source));
      return { ok: true, accepted: prints.length, rejected: 0, rowErrors: [] };
    },
  };
  const { signal } = new AbortController();
  const poster = new Poster({ sink, signal, log: () => {}, backoff: BACKOFF, keepMs: 40 });
  await poster.run([tick(0, ['a', 1]), tick(100, ['b', 2])]);
  assert.deepEqual(posted, [['b']]);
});

test('the status line of every minute includes the source’s report', async () => {
  const lines: string[] = [];
  const options = { sink: new Sink(), signal: new AbortController().signal, statusEveryMs: 5 };
  const report = () => 'dropped: 3 outlier';
  await new Poster({ ...options, log: (line) => lines.push(line), report }).run([tick(10, ['a', 1])]);
  assert.deepEqual(lines, ['last minute: 1 posts, 1 prints, 0 refused, 0 failures; dropped: 3 outlier']);
});
