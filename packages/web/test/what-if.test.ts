/** Compares what-ifs with the venue's own answers to `POST /v1/simulate`, for books that nobody holds. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseSeriesId, type Simulation, type TickerList } from '@venue/protocol';
import { Random } from '../../engine/sim/random.ts';
import { QuotedVenue } from '../../exchange/test/quoted-venue.ts';
import { signIn, type Trader } from '../../exchange/test/support.ts';
import { type Book, bookOf } from '../src/areas/whatif/core/book.ts';
import { PRESENT, WhatIf } from '../src/areas/whatif/core/what-if.ts';
import { greeksAt, thetaLeft } from '../src/market/greeks.ts';
import { assertAddsUp } from './adds-up.ts';

const BOOKS = 6;
const SHIFTS = 2;

describe('what-ifs are what the venue would answer', () => {
  let quoted: QuotedVenue;
  let trader: Trader;
  let seriesIds: string[];
  before(async () => {
    quoted = await QuotedVenue.start();
    await quoted.quote();
    seriesIds = (await quoted.series()).map(({ seriesId }) => seriesId);
    trader = await signIn(quoted.venue);
  });
  after(() => quoted.stop());

  const write = async (path: string, body: object) => {
    const answer = await quoted.venue.post(path, body, { token: trader.token });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const simulate = (body: object): Promise<Simulation> => write('/v1/simulate', body);
  const setMode = (mode: string) => write('/v1/batch', { actions: [{ type: 'margin-mode', mode }] });
  /** Mostly of few expiries, so that legs cover each other. */
  const legsOf = (random: Random) =>
    Array.from({ length: random.between(1, 14) }, () => ({
      seriesId: seriesIds[random.between(0, random.pick([29, 59, seriesIds.length - 1]))]!,
      side: random.pick(['buy', 'sell']),
      qty: random.between(1, 4_000_000) / 1_000_000,
    }));
  const figuresOf = ({ account, margin }: Simulation) => ({
    equity: account.equity,
    unrealized: account.unrealizedPnl,
    locked: account.locked,
    buyingPower: account.buyingPower,
    maintenance: margin.maintenanceMargin,
    isCalled: account.marginCall,
  });

  /** The greatest call that was met, so that the test can say that it met some. */
  async function compare(seed: number): Promise<{ called: number; covered: number; lines: number }> {
    const random = new Random(seed);
    let [called, covered, lines] = [0, 0, 0];
    for (let n = 0; n < BOOKS; n++) {
      const legs = legsOf(random);
      const base = await simulate({ legs });
      const whatIf = new WhatIf(bookOf(base, quoted.nowMs));
      const { change, ...present } = whatIf.outlook(PRESENT);
      assert.equal(change, 0);
      assert.deepEqual(present, figuresOf(base), 'the middle is the account');
      lines += assertAddsUp(base).length;
      covered +=
        base.margin.groups?.filter(({ covers, rule }) => covers.length > 0 || rule === 'B').length ?? 0;
      for (let k = 0; k < SHIFTS; k++) {
        const [spot, vol] = [random.between(-300, 300) / 1_000, random.between(-200, 400) / 1_000];
        const told = await simulate({ legs, spotShift: spot, volShift: vol });
        const { change: moved, ...outlook } = whatIf.outlook({ spot, vol, days: 0 });
        assert.deepEqual(outlook, figuresOf(told), JSON.stringify({ legs, spot, vol }));
        assert.ok(Math.abs(moved - (told.account.equity - base.account.equity)) < 1e-6);
        called += Number(outlook.isCalled);
      }
    }
    return { called, covered, lines };
  }

  it('CMB-4: to the micro, where the contract margins leg by leg, and what is locked adds up', async () => {
    const { called, lines } = await compare(1);
    assert.ok(called > 0 && lines > 10, `${called} called, ${lines} lines`);
  });

  it('CMB-4, DRM-1: to the micro, where longs cover shorts, with orders that rest, and what is locked adds up', async () => {
    const [calls, wing] = [seriesIds[3]!, seriesIds[5]!];
    await write('/v1/margin', { enabled: true });
    await setMode('defined-risk');
    await write('/v1/order', { seriesId: calls, side: 'sell', qty: 0.5, price: 90_000 });
    await write('/v1/order', { seriesId: wing, side: 'buy', qty: 0.25, price: 0.5 });
    const { called, covered, lines } = await compare(2);
    assert.ok(called > 0 && covered > 1, `${called} called, ${covered} groups covered`);
    assert.ok(lines > 10, `${lines} lines`);
  });

  it('HIS-3: greeks are those of the tickers, times what is held', async () => {
    const [long, short] = [seriesIds[10]!, seriesIds[12]!];
    const legs = [
      { seriesId: long, side: 'buy', qty: 2 },
      { seriesId: short, side: 'sell', qty: 3 },
    ];
    const whatIf = new WhatIf(bookOf(await simulate({ legs }), quoted.nowMs));
    const { tickers } = (await quoted.venue.get('/v1/tickers?symbol=BTC')).body;
    const of = (id: string) => tickers.find(({ seriesId }: { seriesId: string }) => seriesId === id);
    const [greeks] = whatIf.greeks(PRESENT);
    for (const name of ['delta', 'gamma', 'vega', 'theta'] as const) {
      const forDay = 2 * of(long)[name] - 3 * of(short)[name];
      const leftMs = parseSeriesId(long)!.expiryTs * 1_000 - quoted.nowMs;
      // On its last day a contract has no day's worth left to lose.
      const wanted = name === 'theta' ? thetaLeft(forDay, leftMs) : forDay;
      assert.ok(
        Math.abs(greeks![name] - wanted) <= Math.abs(wanted) * 1e-6,
        `${name} ${greeks![name]} ${wanted}`,
      );
    }
  });

  it('HIS-3: those that the page works out from a mark are those of the tickers', async () => {
    const { spot, tickers } = (await quoted.venue.get('/v1/tickers?symbol=BTC')).body as TickerList;
    assert.ok(tickers.length > 300, `${tickers.length}`);
    for (const { seriesId, mark, ...ticker } of tickers) {
      const greeks = greeksAt(seriesId, mark ?? Number.NaN, { spot, nowMs: quoted.nowMs });
      for (const name of ['iv', 'delta', 'gamma', 'vega', 'theta'] as const) {
        const wanted = ticker[name];
        if (wanted === null) assert.ok(Number.isNaN(greeks[name]), `${name} of ${seriesId}`);
        else assert.ok(Math.abs(greeks[name] - wanted) < 1e-8, `${name} of ${seriesId}: ${greeks[name]}`);
      }
    }
  });

  it('what has expired is paid at the imagined spot, and needs no margin', async () => {
    const first = (await quoted.series()).find(({ right, strike }) => right === 'C' && strike < 100_000)!;
    const whatIf = new WhatIf(
      bookOf(await simulate({ legs: [{ seriesId: first.seriesId, side: 'sell', qty: 1 }] }), quoted.nowMs),
    );
    const book: Book = whatIf.book;
    const days = (first.expiryTs * 1_000 - book.atMs) / 86_400_000;
    const outlook = whatIf.outlook({ spot: 0.1, vol: 0, days });
    const rest = book.lines.filter(({ seriesId }) => seriesId !== first.seriesId);
    assert.ok(rest.every(({ qtyMicros }) => qtyMicros === 0));
    assert.equal(outlook.equity, book.cashMicros / 1e6 - (110_000 - first.strike));
    assert.equal(outlook.maintenance, 0);
    const before = whatIf.outlook({ spot: 0.1, vol: 0, days: days - 0.01 });
    assert.ok(before.maintenance > 10_000 && before.equity < outlook.equity + 1);
    assert.deepEqual(whatIf.greeks({ spot: 0, vol: 0, days }), []);
  });
});
