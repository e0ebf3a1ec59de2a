import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDecimal } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { micros, seriesIdOf, Venue } from '../../test/venue.ts';
import type { OrderCommand } from '../entry/command.ts';
import { stateDigest } from '../snapshot.ts';
import type { Side } from '../state/series.ts';
import { amountsOf, type OrderPreview, previewOrder } from './preview.ts';

interface Order {
  readonly side: Side;
  readonly series?: string;
  readonly qty: string;
  /** A market order if absent. */
  readonly price?: string;
}

function commandOf(venue: Venue, name: string, order: Order): OrderCommand {
  return {
    kind: 'order',
    account: venue.account(name).address!,
    seriesId: seriesIdOf(order.series ?? 'AAPL-C-210'),
    side: order.side,
    qtyMicros: micros(order.qty),
    priceMicros: order.price === undefined ? null : micros(order.price),
  };
}

/** The preview of an order at the current time; fails if that changes the state. */
function preview(venue: Venue, name: string, order: Order): OrderPreview {
  const digest = stateDigest(venue.state);
  const account = venue.account(name);
  const result = previewOrder(venue.state, account, commandOf(venue, name, order), venue.nowMs);
  assert.equal(stateDigest(venue.state), digest, 'a preview changes nothing');
  return result;
}

/** `filled 2@3.2 value 6.4 fee 0.032`, or the reason. */
function told({ outcome, valueMicros, feeMicros }: OrderPreview): string {
  if (outcome.status === 'rejected') return outcome.reason;
  const trades = outcome.trades.map((t) => ` ${formatDecimal(t.qtyMicros)}@${formatDecimal(t.priceMicros)}`);
  const rest = outcome.restedMicros > 0 ? ` rest ${formatDecimal(outcome.restedMicros)}` : '';
  const amounts = ` value ${formatDecimal(valueMicros)} fee ${formatDecimal(feeMicros)}`;
  return `${outcome.status}${trades.join('')}${rest}${amounts}`;
}

const BOOK = 'quote AAPL-C-210 bid 3x2 2.90x5 ask 3.20x2 3.30x5';

describe('ORD-1 ORD-3 the preview of an order', () => {
  const CASES: readonly (readonly [string, Order, string])[] = [
    ['fills at several prices', { side: 'buy', qty: '3' }, 'filled 2@3.2 1@3.3 value 9.7 fee 0.0485'],
    [
      'fills in part and rests',
      { side: 'buy', qty: '3', price: '3.20' },
      'partial 2@3.2 rest 1 value 6.4 fee 0.032',
    ],
    [
      'takes the whole book at market',
      { side: 'buy', qty: '9' },
      'partial 2@3.2 5@3.3 value 22.9 fee 0.1145',
    ],
    ['rests', { side: 'buy', qty: '3', price: '3.10' }, 'rested rest 3 value 0 fee 0'],
    ['finds nothing', { side: 'buy', qty: '1', series: 'AAPL-C-200' }, 'no liquidity'],
    ['names no series', { side: 'buy', qty: '1', series: 'NONE' }, 'unknown series'],
    ['has no quantity', { side: 'buy', qty: '0' }, 'bad qty'],
    ['has no price', { side: 'buy', qty: '1', price: '0' }, 'bad price'],
    [
      'sells short with margin off',
      { side: 'sell', qty: '1' },
      'margin is off — enable margin to sell short',
    ],
    [
      'costs too much',
      { side: 'buy', qty: '400000', price: '1' },
      'insufficient buying power (need ~400000.00, have 100000.00)',
    ],
  ];

  for (const [what, order, expected] of CASES) {
    test(what, () => {
      const venue = scenario(`${BOOK}\nopen alice`);
      assert.equal(told(preview(venue, 'alice', order)), expected);
    });
  }

  test('amounts before and after, in a flip through a short', () => {
    // Two short at 3 against 100,000: 6 - 0.03. Five bought back: 2 x 3.20 and 3 x 3.30, fees 0.032 and 0.0495. The
    // book is left at 2.90 and 3.30: the mark is 3.10, the long of three worth 9.30.
    const venue = scenario(`${BOOK}
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      account alice                            locked 66.10`);
    const { before, after } = preview(venue, 'alice', { side: 'buy', qty: '5' });
    assert.deepEqual(before, {
      cashMicros: micros('100005.97'),
      lockedMicros: micros('66.10'),
      buyingPowerMicros: micros('99939.87'),
      equityMicros: micros('99999.87'),
      maintenanceMarginMicros: micros('34.10'),
    });
    assert.deepEqual(after, {
      cashMicros: micros('99989.5885'),
      lockedMicros: 0,
      buyingPowerMicros: micros('99989.5885'),
      equityMicros: micros('99998.8885'),
      maintenanceMarginMicros: 0,
    });
  });

  test('a rejected order leaves the amounts unchanged', () => {
    const venue = scenario(`${BOOK}\nopen alice`);
    const { before, after } = preview(venue, 'alice', { side: 'sell', qty: '1' });
    assert.deepEqual(after, before);
    assert.deepEqual(before, amountsOf(venue.state, venue.account('alice')));
  });

  test('TIF-1 a timed order more than an account may have', () => {
    const actions = Array.from({ length: 64 }, () => 'buy AAPL-C-210 0.01 @ 2 gtd 1h').join(' ; ');
    const rested = Array.from({ length: 64 }, () => 'rested rest 0.01').join(' ; ');
    const venue = scenario(Array.from({ length: 16 }, () => `batch alice ${actions}  ${rested}`).join('\n'));
    const order = commandOf(venue, 'alice', { side: 'buy', qty: '1', price: '2' });
    const terms = { tif: 'gtd', expiresAt: venue.nowMs + 1_000, stp: 'taker' } as const;
    const { outcome } = previewOrder(venue.state, venue.account('alice'), { ...order, terms }, venue.nowMs);
    assert.deepEqual(outcome, { status: 'rejected', reason: 'too many timed orders' });
  });

  test('the mark after an order that empties a side, or is the only one on it', () => {
    // After the purchase, the book has only bids, at 3: seven are worth 21. A bid of 3.10 moves the mark to 3.15.
    const venue = scenario(`${BOOK}\nopen alice`);
    const bought = preview(venue, 'alice', { side: 'buy', qty: '7' }).after;
    assert.equal(bought.equityMicros, bought.cashMicros + micros('21'));
    scenario('buy alice AAPL-C-210 1 @ market   filled 1@3.20', venue);
    const resting = preview(venue, 'alice', { side: 'buy', qty: '1', price: '3.10' }).after;
    assert.equal(resting.equityMicros, resting.cashMicros + micros('3.15'));
  });

  test('STP-1 the mark after an order that cancels the own offer in front', () => {
    const venue = scenario(`
      quote AAPL-C-210 ask 3.20x2
      buy alice AAPL-C-210 1 @ market          filled 1@3.20
      sell alice AAPL-C-210 1 @ 3.10           rested`);
    for (const stp of ['maker', 'both'] as const) {
      const order = commandOf(venue, 'alice', { side: 'buy', qty: '0.5', price: '3.10' });
      const terms = { tif: 'ioc', stp } as const;
      const { after } = previewOrder(venue.state, venue.account('alice'), { ...order, terms }, venue.nowMs);
      assert.equal(after.equityMicros, after.cashMicros + micros('3.20'), stp);
    }
  });

  test('BAT-6 the mark of another series, which a set leaves that the order uses up', () => {
    const venue = scenario(`
      margin alice on
      margin carol on
      buy bob AAPL-C-200 5 @ 1                 rested
      sell alice AAPL-C-200 5 @ 1              filled 5@1
      sell carol AAPL-C-200 1 @ 500            rested
      protect carol 1 AAPL window 1s qty 1 frozen 0
      push carol 1 AAPL-C-210 ask 3x1 ; AAPL-C-200 bid 1x1 ask 1.20x1   applied 2`);
    const order: Order = { side: 'buy', qty: '1', price: '3' };
    const { before, after } = preview(venue, 'alice', order);
    // Short five at 1.10, then at 500.
    assert.equal(after.equityMicros, before.equityMicros - micros('2497.515'));
    venue.apply(commandOf(venue, 'alice', order));
    assert.deepEqual(amountsOf(venue.state, venue.account('alice')), after);
  });

  test('ORD-7 self-trades are previewed as they would happen', () => {
    const venue = scenario(`
      buy alice AAPL-C-210 2 @ 3               rested
      margin alice on`);
    const { after, feeMicros } = preview(venue, 'alice', { side: 'sell', qty: '2', price: '3' });
    assert.equal(feeMicros, micros('0.03'));
    assert.equal(after.cashMicros, micros('99999.97'));
    assert.equal(after.lockedMicros, 0);
  });

  test('a reducer in a margin call', () => {
    const venue = scenario(
      `
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      quote AAPL-C-210 bid 80x20 ask 82x20
      account alice                            marginCall yes`,
      { paperCashMicros: micros('1000') },
    );
    assert.equal(told(preview(venue, 'alice', { side: 'buy', qty: '2' })), 'filled 2@82 value 164 fee 0.82');
    assert.equal(
      told(preview(venue, 'alice', { side: 'buy', qty: '11' })),
      'margin call — reduce-only (buy back shorts)',
    );
  });
});

describe('FINE-5 the time of a preview', () => {
  test('an order at the cutoff instant is refused, one before is not, whatever the time of the last entry', () => {
    const venue = scenario(`${BOOK}\nopen alice`);
    const command = commandOf(venue, 'alice', { side: 'buy', qty: '1' });
    const { cutoffMs } = venue.series('AAPL-C-210');
    const at = (ts: number) => told(previewOrder(venue.state, venue.account('alice'), command, ts));
    assert.equal(at(cutoffMs - 1), 'filled 1@3.2 value 3.2 fee 0.016');
    assert.equal(at(cutoffMs), 'series expired');
  });

  test('a clock behind the log counts as the time of the log', () => {
    const venue = scenario(`${BOOK}
      open alice
      wait to cutoff
      spot AAPL 200`);
    const command = commandOf(venue, 'alice', { side: 'buy', qty: '1' });
    assert.equal(told(previewOrder(venue.state, venue.account('alice'), command, 0)), 'series expired');
  });
});

describe('the order then does what its preview said', () => {
  const ORDERS: readonly Order[] = [
    { side: 'buy', qty: '3' },
    { side: 'sell', qty: '4' },
    { side: 'sell', qty: '2', price: '3.25' },
    { side: 'buy', qty: '6', price: '3.30' },
    { side: 'sell', qty: '100' },
  ];

  test('status, order id, fills and amounts', () => {
    const venue = scenario(`${BOOK}\nmargin alice on`);
    for (const order of ORDERS) {
      const foreseen = preview(venue, 'alice', order);
      const outcome = venue.apply(commandOf(venue, 'alice', order));
      const { account: _, ...did } = outcome as Exclude<typeof outcome, { refusal: string }>;
      const {
        qtyMicros: __,
        isPrevented: ___,
        ...said
      } = { qtyMicros: 0, isPrevented: false, ...foreseen.outcome };
      assert.deepEqual(did, said);
      assert.deepEqual(amountsOf(venue.state, venue.account('alice')), foreseen.after);
    }
  });
});

test('QTS-4 a preview that moves the marks of other series leaves what a set reserves there as it was', () => {
  const venue = Venue.listed({ riskMark: 'model', impactMicros: micros('1000') });
  const ivs = venue.unsettled().map(({ sid }) => ({ sid, bids: null, asks: null, iv: 0.4 }));
  venue.apply({ kind: 'quotes', session: null, rows: ivs });
  // Before the fill the bid of 500 bounds the mark of the second series, and with it the margin of the ask; after it no more.
  scenario(
    `
    margin alice on
    margin bob on
    protect alice 1 AAPL qty 500
    push alice 1 AAPL-C-210 bid 3x100 ; AAPL-C-200 bid 2x500 ask 8.5x300 9x1   applied 2
  `,
    venue,
  );
  const sold = { side: 'sell', qty: '100' } as const;
  assert.equal(told(preview(venue, 'bob', sold)), 'filled 100@3 value 300 fee 1.5');
  venue.apply(commandOf(venue, 'bob', sold));
  const [set] = venue.state.quoteSets.of(venue.account('alice').index);
  assert.ok(set!.reserveMicros > micros('10000'));
  venue.checkReplay();
});
