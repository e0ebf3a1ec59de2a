// @process maker
// @seconds 9

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FillRecord, Series } from '@venue/protocol';
import { holdWaits } from '../../exchange/test/held-waits.ts';
import { freePort } from '../../log/test/free-port.ts';
import { FakeVenue, MAKER_TOKEN } from '../test/fake-venue.ts';
import { NOW_MS, positionOf, seriesOf, shippedParameters } from '../test/market.ts';
import { runMaker } from './run.ts';

const FRESH = { symbol: 'BTC', spot: 95_000, feedFresh: true };
/** A distant expiry, relative to the current time. */
const DAYS = (Date.now() - NOW_MS) / 86_400_000 + 30;

let venue: FakeVenue;
let running: { stop: AbortController; ended: Promise<void>; lines: string[] }[];

beforeEach(async () => {
  venue = new FakeVenue();
  await venue.open();
  venue.instruments = [FRESH];
  venue.series = strikes(40);
  running = [];
});

afterEach(async () => {
  for (const { stop } of running) stop.abort();
  await Promise.all(running.map(({ ended }) => ended));
  await venue.close();
});

function strikes(count: number): Series[] {
  return Array.from({ length: count }, (_, i) =>
    seriesOf({ sid: i + 1, strike: 90_000 + 250 * i, days: DAYS }),
  );
}

function start({ metricsPort = null as number | null, url = venue.url, makerToken = MAKER_TOKEN } = {}) {
  const stop = new AbortController();
  const lines: string[] = [];
  const config = {
    url,
    makerToken,
    tickMs: 50,
    metricsPort,
    parameters: shippedParameters(),
    walletKeys: null,
    paceMs: 0,
  };
  const ended = runMaker({ config, signal: stop.signal, log: (line) => lines.push(line) });
  const one = { stop, ended, lines };
  running.push(one);
  return one;
}

async function eventually(what: string, check: () => boolean, limitMs = 60_000): Promise<void> {
  const untilMs = Date.now() + limitMs;
  while (!check()) {
    if (Date.now() > untilMs) assert.fail(`never: ${what}`);
    await sleep(10);
  }
}

/**
 * The least time of several attempts, as other work on the machine only adds to it: as many as it takes to be under the
 * limit once. Where the stream is ignored, an attempt ends with a poll, so that the next one takes a whole interval.
 */
async function soonest(limitMs: number, attempt: (n: number) => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 10 && least >= limitMs; n++) {
    const beganMs = performance.now();
    await attempt(n);
    least = Math.min(least, performance.now() - beganMs);
  }
  return least;
}

function soldFill(series: Series, id: number): FillRecord {
  const { seriesId, symbol } = series;
  const rest = { fee: 0, realized: 0, taker: false, ts: Date.now(), kind: 'trade' as const };
  return { id, orderId: id, seriesId, symbol, side: 'sell', price: 9_000, qty: 0.5, ...rest };
}

describe('quoting', () => {
  test('every series is quoted in slices, a stop pulls everything', async () => {
    venue.series = strikes(1_200);
    const { stop, ended, lines } = start();
    await eventually('all series', () => venue.books.size === 1_200);
    assert.ok(Math.max(...venue.pushes) <= 500);
    const rows = venue.pushes.reduce((sum, n) => sum + n, 0);
    await sleep(300);
    assert.equal(
      venue.pushes.reduce((sum, n) => sum + n, 0),
      rows,
      'nothing moved, nothing was sent again',
    );
    stop.abort();
    await ended;
    assert.deepEqual([venue.pulls, venue.books.size, lines.at(-1)], [1, 0, 'stopped']);
    assert.match(lines.join('\n'), /^quoting on http.*\nquotes stand in \d+ series/);
  });

  test('FEED-2: a stale price takes its quotes off, a fresh one brings them back', async () => {
    start();
    await eventually('quotes', () => venue.books.size === 40);
    venue.instruments = [{ ...FRESH, feedFresh: false }];
    await eventually('no quotes', () => venue.books.size === 0);
    venue.instruments = [FRESH];
    await eventually('quotes again', () => venue.books.size === 40);
  });

  test('FEED-2: news of one price changes no other, and brings back none that the venue calls stale', async () => {
    const other = { symbol: 'AAPL', spot: 200, feedFresh: true };
    start();
    await eventually('quotes', () => venue.books.size === 40);
    venue.send({ type: 'spots', spots: [other] });
    await sleep(200);
    assert.equal(venue.books.size, 40);
    venue.instruments = [{ ...FRESH, feedFresh: false }, other];
    await eventually('no quotes', () => venue.books.size === 0);
    for (let i = 1; i <= 4; i++) {
      venue.send({ type: 'spots', spots: [{ ...other, spot: 200 + i }] });
      await sleep(50);
      assert.equal(venue.books.size, 0);
    }
  });

  test('a move on the stream re-quotes within a tick or two', async () => {
    start();
    await eventually('quotes', () => venue.books.size === 40);
    const tookMs = await soonest(500, async (attempt) => {
      const before = venue.books.get(1)![2]![0]![0];
      venue.instruments = [{ ...FRESH, spot: 97_000 + 500 * attempt }];
      venue.send({ type: 'spots', spots: venue.instruments });
      await eventually('a higher offer', () => venue.books.get(1)![2]![0]![0] > before);
    });
    assert.ok(tookMs < 500, `${tookMs} ms`);
  });

  test('a trade is counted with its edge, and its series is quoted again at a new centre', async () => {
    const [series] = venue.series;
    const metricsPort = await freePort();
    start({ metricsPort });
    await eventually('quotes', () => venue.books.size === 40);
    const print = {
      seriesId: series!.seriesId,
      price: 9_000,
      qty: 0.5,
      side: 'buy' as const,
      ts: Date.now(),
    };
    const tookMs = await soonest(1_000, async (attempt) => {
      const offer = venue.books.get(1)![2]![0]![0];
      venue.fills = [...venue.fills, soldFill(series!, 7 + attempt)];
      venue.positions = [positionOf(series!, -10 * (1 + attempt))];
      venue.send({ type: 'tape', symbol: 'BTC', print });
      await eventually('a higher offer', () => venue.books.get(1)![2]![0]![0] > offer);
    });
    assert.ok(tookMs < 1_000, `${tookMs} ms`);
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    assert.match(text, new RegExp(`^venue_maker_fills_total ${venue.fills.length}$`, 'm'));
    assert.match(text, /^venue_maker_quoted_series 40$/m);
    assert.match(text, /^venue_maker_delta_usd\{symbol="BTC"\} -\d+/m);
    assert.match(text, /^venue_maker_edge_usd \d+/m);
    assert.match(text, /^venue_maker_push_ms\{quantile="0.99"\} \d+/m);
  });

  test('a trade that the stream missed is still found', async () => {
    start();
    await eventually('quotes', () => venue.books.size === 40);
    venue.fills = [soldFill(venue.series[0]!, 7)];
    venue.books.delete(1);
    await eventually('a full ladder', () => venue.books.has(1));
  });

  test('trades before the start are not reported', async () => {
    venue.fills = Array.from({ length: 700 }, (_, i) => soldFill(venue.series[0]!, i + 1));
    const metricsPort = await freePort();
    start({ metricsPort });
    await eventually('quotes', () => venue.books.size === 40);
    assert.match(
      await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
      /^venue_maker_fills_total 0$/m,
    );
  });

  test('a slow venue gets one push at a time', async () => {
    venue.series = strikes(1_200);
    venue.pushMs = 150;
    start();
    await eventually('all series', () => venue.books.size === 1_200);
    assert.equal(venue.pushesAtOnceMax, 1);
  });
});

describe('MM-1: one session per start', () => {
  test('after a lost answer the request is repeated under the same name', async () => {
    venue.losesAnswer = true;
    const { lines } = start();
    await eventually('quotes', () => venue.books.size === 40);
    assert.equal(venue.attempts.length, 2);
    assert.equal(new Set(venue.attempts).size, 1);
    assert.equal(venue.session, 1);
    assert.match(lines.join('\n'), /cannot quote, trying again/);
  });

  test('after a lost stream everything is sent again, in the existing session', async () => {
    start();
    await eventually('quotes', () => venue.books.size === 40);
    venue.books.clear();
    venue.dropStreams();
    await eventually('quotes again', () => venue.books.size === 40);
    assert.equal(venue.attempts.length, 1);
  });

  test('once fenced it says so, sends nothing, does not register, and at its stop leaves the other’s quotes', async () => {
    const { stop, ended, lines } = start();
    await eventually('quotes', () => venue.books.size === 40);
    venue.register('another maker');
    venue.instruments = [{ ...FRESH, spot: 97_000 }];
    await eventually('the line', () =>
      lines.some((line) => /^fenced, .*session 2 has taken over from 1/.test(line)),
    );
    const pushed = venue.pushes.length;
    await sleep(300);
    assert.deepEqual([venue.pushes.length, venue.attempts.length], [pushed, 1]);
    stop.abort();
    await ended;
    assert.deepEqual([venue.pulls, venue.books.size, lines.at(-1)], [0, 40, 'stopped']);
    assert.equal(lines.filter((line) => line.includes('not pulled')).length, 0);
  });

  test('two makers: the later start owns the books', async () => {
    const first = start();
    await eventually('quotes', () => venue.books.size === 40);
    start();
    await eventually('the second session', () => venue.session === 2);
    venue.instruments = [{ ...FRESH, spot: 99_000 }];
    await eventually('the first gives way', () => first.lines.some((line) => line.startsWith('fenced')));
    assert.equal(venue.session, 2);
  });

  test('a venue that lost its log knows no session: there the maker registers again', async () => {
    start();
    await eventually('quotes', () => venue.books.size === 40);
    venue.forgetSessions();
    venue.instruments = [{ ...FRESH, spot: 99_000 }];
    await eventually('quotes again', () => venue.books.size === 40);
    assert.deepEqual([venue.attempts.length, venue.session], [2, 1]);
  });
});

test('a stop ends within its limit while a push hangs', async (t) => {
  const limits = holdWaits(t, 1_000);
  venue.pushMs = 60_000;
  const { stop, ended } = start();
  await eventually('the session', () => venue.session === 1);
  await eventually('the push', () => venue.pushesAtOnceMax === 1);
  stop.abort();
  await eventually('the limit', () => limits.length === 1);
  limits[0]!.end();
  await ended;
  assert.equal(venue.pulls, 1);
});

test('a venue that is down is waited for', async () => {
  const { url } = venue;
  await venue.close();
  const { lines } = start({ url });
  await eventually('the line', () =>
    lines.some((line) => /cannot quote, trying again: .*ECONNREFUSED/.test(line)),
  );
  await venue.open(Number(new URL(url).port));
  await eventually('quotes', () => venue.books.size === 40);
});

test('a venue that refuses every push is retried at growing intervals, and one line says so', async () => {
  venue.isBroken = true;
  const { lines } = start();
  await eventually('the fourth try', () => venue.refusals >= 4);
  assert.deepEqual(lines.slice(1), ['cannot quote, trying again: internal error']);
  venue.isBroken = false;
  await eventually('quotes', () => venue.books.size === 40);
});

test('CRED-1: a wrong secret is reported once, and nothing is quoted', async () => {
  const { lines } = start({ makerToken: 'wrong' });
  await eventually('the line', () => lines.includes('cannot quote, trying again: wrong credential'));
  await sleep(700);
  assert.deepEqual([lines.length, venue.books.size], [2, 0]);
});
