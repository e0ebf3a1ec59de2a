import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BUY, type Instrument, type Series } from '@venue/engine';
import { MAKER_TOKEN, pricedVenue } from '../../test/support.ts';
import { chainView } from './market.ts';
import { MarketPages } from './market-pages.ts';

const EXPIRY_TS = 1_800_000_000;
const NOW_MS = (EXPIRY_TS - 86_400) * 1_000;

/** The parts of a series that a chain shows; its book is set by the test. */
function seriesOf(sid: number, expiryTs: number, instrument: Partial<Instrument>): Series {
  const level = { price: 3_000_000, quantity: 1_000_000 };
  const book = {
    version: 1,
    levels: (side: number) => (side === BUY ? [level] : []),
    bestPrice: (side: number) => (side === BUY ? level.price : null),
  };
  return {
    ...{ sid, expiryTs, instrument, book, seriesId: `BTC-${expiryTs}-C-${sid}`, right: 'C' },
    ...{ strikeMicros: sid * 1_000_000, cutoffMs: expiryTs * 1_000, status: 'live', payoutMicros: 0 },
    ...{ iv: 0.5, delta: 0.4, openInterestMicros: 0, volumeMicros: 0 },
  } as unknown as Series;
}

function market() {
  const instrument = {
    symbol: 'BTC',
    assetClass: 'equity',
    spotMicros: 100_000_000,
  } as unknown as Instrument;
  instrument.series = [1, 2].map((sid) => seriesOf(sid, EXPIRY_TS, instrument));
  instrument.series.push(seriesOf(3, EXPIRY_TS + 86_400, instrument));
  return { instrument, first: instrument.series[0]! };
}

type Market = ReturnType<typeof market>;

/** Each changes a single thing that a chain shows. */
const CHANGES: readonly (readonly [string, (market: Market) => number | undefined])[] = [
  ['spot', ({ instrument }) => void Object.assign(instrument, { spotMicros: 101_000_000 })],
  ['volatility', ({ first }) => void Object.assign(first, { iv: 0.6 })],
  ['delta', ({ first }) => void Object.assign(first, { delta: -0 })],
  ['open interest', ({ first }) => void Object.assign(first, { openInterestMicros: 5 })],
  ['volume', ({ first }) => void Object.assign(first, { volumeMicros: 5 })],
  ['book', ({ first }) => void Object.assign(first.book, { version: 2, levels: () => [] })],
  ['status', ({ first }) => void Object.assign(first, { status: 'pending-review' })],
  ['cutoff', () => EXPIRY_TS * 1_000],
  ['opening of the market', () => NOW_MS + 12 * 3_600_000],
  ['new strike', ({ instrument }) => void instrument.series.push(seriesOf(9, EXPIRY_TS, instrument))],
  [
    'replaced strike',
    ({ instrument }) => {
      instrument.series = instrument.series.map((one) =>
        one.sid === 3 ? seriesOf(8, EXPIRY_TS, instrument) : one,
      );
      return undefined;
    },
  ],
];

describe('cached bytes of a chain', () => {
  for (const [what, change] of CHANGES) {
    it(`are rebuilt after a change of the ${what}`, () => {
      const made = market();
      const pages = new MarketPages();
      const fresh = (nowMs: number) => JSON.stringify(chainView(made.instrument, EXPIRY_TS, nowMs));
      const before = pages.chain(made.instrument, EXPIRY_TS, { nowMs: NOW_MS, seq: 1 });
      assert.equal(before.toString(), fresh(NOW_MS));
      assert.equal(pages.chain(made.instrument, EXPIRY_TS, { nowMs: NOW_MS + 1, seq: 2 }), before, 'kept');
      const nowMs = change(made) ?? NOW_MS;
      // Changes of time alone come without an entry.
      const after = pages.chain(made.instrument, EXPIRY_TS, { nowMs, seq: nowMs === NOW_MS ? 3 : 2 });
      assert.equal(after.toString(), fresh(nowMs));
      assert.notEqual(after, before);
    });
  }

  it('are rebuilt when trading ends within a minute', () => {
    const { instrument, first } = market();
    const cutoffMs = NOW_MS + 30_000;
    Object.assign(first, { cutoffMs });
    const pages = new MarketPages();
    const at = (nowMs: number) => pages.chain(instrument, EXPIRY_TS, { nowMs, seq: 1 }).toString();
    const fresh = (nowMs: number) => JSON.stringify(chainView(instrument, EXPIRY_TS, nowMs));
    assert.notEqual(fresh(cutoffMs - 1), fresh(cutoffMs));
    for (const nowMs of [cutoffMs - 1, cutoffMs]) assert.equal(at(nowMs), fresh(nowMs));
  });

  it('of an expiry that has left are not kept (HTTP-5)', async () => {
    const { instrument } = market();
    const pages = new MarketPages();
    const moment = { nowMs: NOW_MS, seq: 1 };
    const kept = new WeakRef(pages.chain(instrument, EXPIRY_TS, moment));
    instrument.series = instrument.series.filter(({ expiryTs }) => expiryTs !== EXPIRY_TS);
    pages.chain(instrument, EXPIRY_TS + 86_400, moment);
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    await setImmediate();
    collectGarbage();
    assert.equal(kept.deref(), undefined);
  });

  it('are not cached for an unknown expiry', () => {
    const { instrument } = market();
    const pages = new MarketPages();
    const moment = { nowMs: NOW_MS, seq: 1 };
    assert.notEqual(pages.chain(instrument, 7, moment), pages.chain(instrument, 7, moment));
  });
});

it('bytes of a book are cached until it changes', async (t) => {
  const venue = await pricedVenue();
  t.after(() => venue.exchange.stop());
  const { seriesId, sid } = await venue.listed('BTC');
  const book = async () => (await venue.get(`/v1/book?seriesId=${seriesId}`)).body;
  const push = (bid: number) =>
    venue.post(
      '/v1/quotes',
      { rows: [[sid, [[bid, 1]], [[9, 1]], 0.5, 0.5]] },
      {
        headers: { 'x-maker-token': MAKER_TOKEN },
      },
    );
  for (const bid of [3, 4]) {
    await push(bid);
    assert.deepEqual((await book()).bids, [{ price: bid, qty: 1 }]);
    assert.deepEqual((await book()).asks, [{ price: 9, qty: 1 }]);
  }
});
