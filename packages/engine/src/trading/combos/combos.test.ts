import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onSets } from '../../../test/sets.ts';
import { addressOf, seriesIdOf } from '../../../test/venue.ts';
import type { BatchDone } from '../../entry/outcome.ts';
import { amountsOf } from '../preview.ts';
import { previewCombo } from './preview.ts';

/** Asks for a call at 190 and bids for one at 200: a unit of the spread costs 2.20, then 2.30, 2.40 and 2.50. */
const BOOKS = `
  margin alice on
  quote AAPL-C-190 ask 3.40x5 3.50x5
  quote AAPL-C-200 bid 1.20x4 1.10x5 1x9
`;

describe('CMB-1 how much of a combo trades', () => {
  test('as long as the last micro costs at most the net, whatever those before it cost', () => {
    onSets(`${BOOKS}
      batch alice combo 20 @ 2.30 id a buy AAPL-C-190 sell AAPL-C-200   partial buy AAPL-C-190 5@3.40, sell AAPL-C-200 4@1.20, sell AAPL-C-200 1@1.10
      closes alice                                                      a ioc
      account alice                                                     orders 0
      book AAPL-C-190                                                   ask maker 3.50x5
      book AAPL-C-200                                                   bid maker 1.10x4 maker 1x9
    `);
  });

  test('a micro less than the next level costs buys nothing of it', () => {
    onSets(`${BOOKS}
      batch alice combo 20 @ 2.299999 buy AAPL-C-190 sell AAPL-C-200    partial buy AAPL-C-190 4@3.40, sell AAPL-C-200 4@1.20
    `);
  });

  test('without a net it takes what there is, up to the leg with least', () => {
    onSets(`${BOOKS}
      batch alice combo 20 @ market id a sell AAPL-C-200 x2 buy AAPL-C-190   partial sell AAPL-C-200 4@1.20, sell AAPL-C-200 5@1.10, sell AAPL-C-200 9@1, buy AAPL-C-190 5@3.40, buy AAPL-C-190 4@3.50
    `);
  });

  test('a negative net must come in', () => {
    onSets(`${BOOKS}
      margin bob on
      quote AAPL-C-190 bid 3.30x2 3.10x5
      quote AAPL-C-200 ask 1.30x5
      batch bob combo 9 @ -2 sell AAPL-C-190 buy AAPL-C-200             partial sell AAPL-C-190 2@3.30, buy AAPL-C-200 2@1.30
      batch bob combo 9 @ -2 sell AAPL-C-190 buy AAPL-C-200             cancelled
      batch bob combo 9 @ -2 fok sell AAPL-C-190 buy AAPL-C-200         rejected fok cannot fill
      batch bob combo 3 @ -1.8 fok id a sell AAPL-C-190 buy AAPL-C-200  filled sell AAPL-C-190 3@3.10, buy AAPL-C-200 3@1.30
      closes bob                                                        #9 ioc, #10 ioc, a filled
    `);
  });

  test('DET-6 the last micro is judged by the summed cost of its leg micros', () => {
    // The third micro of the combo takes one micro at 1 and two at 2: 5 and not 3 or 6.
    const asks = 'quote AAPL-C-190 ask 1x0.000007 2x5\n quote AAPL-C-200 ask 1x9';
    onSets(`${asks}
      batch alice combo 1 @ 5.999999 buy AAPL-C-190 x3 buy AAPL-C-200   partial buy AAPL-C-190 0.000006@1, buy AAPL-C-200 0.000002@1
    `);
    onSets(`${asks}
      batch alice combo 1 @ 6 buy AAPL-C-190 x3 buy AAPL-C-200          partial buy AAPL-C-190 0.000007@1, buy AAPL-C-190 0.000002@2, buy AAPL-C-200 0.000003@1
    `);
  });

  test('costs beyond exact doubles are compared exactly', () => {
    const spread = 'buy AAPL-C-190 x3 sell AAPL-C-200 x3';
    onSets(`
      margin alice on
      quote AAPL-C-190 ask 9007199254.740991x0.000003
      quote AAPL-C-200 bid 9007199254.740990x0.000003
      batch alice combo 0.000001 @ 0.000002 ${spread}   cancelled
      batch alice combo 0.000001 @ 0.000003 ${spread}   filled buy AAPL-C-190 0.000003@9007199254.740991, sell AAPL-C-200 0.000003@9007199254.740990
    `);
  });

  test('own orders are walls: first in line they leave nothing, further back they end the leg', () => {
    onSets(`${BOOKS}
      buy alice AAPL-C-200 1 @ 1.15                                     rested
      batch alice combo 9 @ market buy AAPL-C-190 sell AAPL-C-200       partial buy AAPL-C-190 4@3.40, sell AAPL-C-200 4@1.20
      batch alice combo 9 @ market id a buy AAPL-C-190 sell AAPL-C-200  cancelled
      batch alice combo 9 @ market fok buy AAPL-C-190 sell AAPL-C-200   rejected fok cannot fill
      account alice                                                     orders 1
    `);
  });

  test("quotes of the account's own sets are walls, too", () => {
    onSets(`${BOOKS}
      protect alice 1 AAPL window 1s qty 10 frozen 0
      push alice 1 AAPL-C-190 ask 3.45x1
      batch alice combo 9 @ market buy AAPL-C-190 sell AAPL-C-200       partial buy AAPL-C-190 5@3.40, sell AAPL-C-200 4@1.20, sell AAPL-C-200 1@1.10
      batch alice combo 9 @ market buy AAPL-C-190 sell AAPL-C-200       cancelled
      set alice 1                                                       used 0 quotes 1
    `);
  });

  test('a leg whose book has no order on that side: no liquidity', () => {
    onSets(`${BOOKS}
      batch alice combo 1 @ market buy AAPL-C-200 buy AAPL-C-190        rejected no liquidity
      batch alice combo 1 @ market fok buy AAPL-C-190 sell AAPL-P-200   rejected no liquidity
    `);
  });

  test('each leg is a fill with a fee of its own and the id of the combo, and a print on the tape', () => {
    const venue = onSets(`${BOOKS}
      batch alice combo 2 @ 2.20 id a buy AAPL-C-190 sell AAPL-C-200    filled buy AAPL-C-190 2@3.40, sell AAPL-C-200 2@1.20
      account alice                                                     cash 99995.554
      position alice AAPL-C-190                                         qty 2
      position alice AAPL-C-200                                         qty -2
    `);
    const rows = [...venue.account('alice').fills];
    assert.deepEqual(
      rows.map(({ orderId, side, qtyMicros, feeMicros, taker }) => [
        orderId,
        side,
        qtyMicros,
        feeMicros,
        taker,
      ]),
      [
        [6, 'buy', 2_000_000, 34_000, true],
        [6, 'sell', 2_000_000, 12_000, true],
      ],
    );
  });
});

describe('CMB-1 BAT-1 what a combo names', () => {
  test('the series of all legs come first, an unlisted one before a settled one', () => {
    onSets(`${BOOKS}
      batch alice combo 0 @ market buy AAPL-C-190 sell AAPL-C-191       rejected unknown series
      batch alice combo 0 @ market buy AAPL-C-190 sell AAPL-C-200       rejected bad qty
      batch alice combo 9007199254 @ market buy AAPL-C-190 x2 sell AAPL-C-200   rejected bad qty
    `);
  });

  test('CID-1 a client id is known to orders and combos alike', () => {
    onSets(`${BOOKS}
      batch alice combo 1 @ 2 id a buy AAPL-C-190 sell AAPL-C-200 ; buy AAPL-C-190 1 @ 3.40 id a   cancelled ; duplicate #6
      batch alice buy AAPL-C-190 1 @ 1 id b ; combo 1 @ market id b buy AAPL-C-190 sell AAPL-C-200   rested rest 1 ; duplicate #7
      batch alice combo 1 @ market id c buy AAPL-C-190 sell AAPL-C-191   rejected unknown series
      batch alice combo 1 @ market id c buy AAPL-C-190 sell AAPL-C-200   filled buy AAPL-C-190 1@3.40, sell AAPL-C-200 1@1.20
      wait 24h
      batch alice cancel c                                               not ok
      batch alice combo 1 @ 0 id c buy AAPL-C-190 sell AAPL-C-200        duplicate #8
      wait 1ms
      batch alice combo 1 @ 0 id c buy AAPL-C-190 sell AAPL-C-200        rejected series expired
    `);
  });
});

describe('CMB-2 the account that a combo leaves', () => {
  test('buying power pays for all legs and fees, or nothing trades', () => {
    // 3.40 of cost, less 1.20, 0.023 of fees, and 38.85 of margin for the call at 200 once its bid stands at 1.20.
    const spread = 'buy AAPL-C-190 sell AAPL-C-200';
    onSets(
      `${BOOKS}
      batch alice combo 1 @ market ${spread}   rejected insufficient margin for short (need ~43.42, have 43.42)
      book AAPL-C-190                          ask maker 3.40x5 maker 3.50x5
      book AAPL-C-200                          bid maker 1.20x4 maker 1.10x5 maker 1x9
      closes alice                             none
      account alice                            cash 43.422999 locked 0`,
      { paperCash: '43.422999' },
    );
    onSets(
      `${BOOKS}
      batch alice combo 1 @ market ${spread}   filled buy AAPL-C-190 1@3.40, sell AAPL-C-200 1@1.20
      account alice                            cash 41.2 locked 41.2`,
      { paperCash: '43.423' },
    );
  });

  test('the proceeds of one leg pay for another, in whichever order they trade', () => {
    const table = (legs: string, fills: string) => `
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      quote AAPL-C-200 bid 1.20x5 ask 1.30x5
      buy alice AAPL-C-190 1 @ market          filled 1@3.40
      batch alice combo 1 @ market ${legs}     filled ${fills}
    `;
    for (const paperCash of ['3.42', '3.5'])
      onSets(table('buy AAPL-C-200 sell AAPL-C-190', 'buy AAPL-C-200 1@1.30, sell AAPL-C-190 1@3.30'), {
        paperCash,
      });
    onSets(table('sell AAPL-C-190 buy AAPL-C-200', 'sell AAPL-C-190 1@3.30, buy AAPL-C-200 1@1.30'), {
      paperCash: '3.42',
    });
  });

  test('what does not raise the requirement needs buying power', () => {
    onSets(
      `
      quote AAPL-C-190 ask 3.40x5
      quote AAPL-C-200 ask 1.30x5
      batch alice combo 1 @ market buy AAPL-C-190 buy AAPL-C-200   rejected insufficient buying power (need ~4.72, have 4.00)
      batch alice combo 0.5 @ market buy AAPL-C-190 buy AAPL-C-200   filled buy AAPL-C-190 0.5@3.40, buy AAPL-C-200 0.5@1.30`,
      { paperCash: '4' },
    );
  });

  test('margin must be on where a short opens or grows, not where a long is sold', () => {
    onSets(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      quote AAPL-C-200 bid 1.20x5 ask 1.30x5
      buy alice AAPL-C-190 2 @ market                               filled 2@3.40
      batch alice combo 1 @ market sell AAPL-C-200 buy AAPL-C-190   rejected margin is off — enable margin to sell short
      batch alice combo 2 @ market sell AAPL-C-190 buy AAPL-C-200   filled sell AAPL-C-190 2@3.30, buy AAPL-C-200 2@1.30
      batch alice combo 1 @ market sell AAPL-C-190 sell AAPL-C-200  rejected margin is off — enable margin to sell short
    `);
  });

  test('a long that rests to be sold covers no leg', () => {
    onSets(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      quote AAPL-C-200 bid 1.20x5 ask 1.30x5
      buy alice AAPL-C-190 2 @ market                               filled 2@3.40
      sell alice AAPL-C-190 2 @ 3.50                                rested
      batch alice combo 1 @ market sell AAPL-C-190 buy AAPL-C-200   rejected margin is off — enable margin to sell short
    `);
  });

  test('no margin call may begin, though buying power would do', () => {
    // Premium of 30 % of spot a leg: a unit locks 200 of 219.40 in cash, and equity of 99.40 is under 168.
    onSets(
      `
      margin alice on
      quote AAPL-C-200 bid 60x9
      quote AAPL-P-200 bid 60x9
      batch alice combo 1 @ market sell AAPL-C-200 sell AAPL-P-200  rejected margin call — reduce-only (buy back shorts)
      account alice                                                 cash 100 locked 0`,
      { paperCash: '100' },
    );
    onSets(
      `
      margin alice on
      quote AAPL-C-200 bid 60x9
      quote AAPL-P-200 bid 60x9
      batch alice combo 1 @ market sell AAPL-C-200 sell AAPL-P-200  filled sell AAPL-C-200 1@60, sell AAPL-P-200 1@60
      account alice                                                 cash 288 marginCall no`,
      { paperCash: '168.6' },
    );
  });

  test('DET-6 the marks are those that the legs leave', () => {
    // The sell takes the only bid near: the call it opens is marked at 1 and not at 5.
    const sold = (bids: string) => `
      margin alice on
      quote AAPL-C-200 bid ${bids}
      quote AAPL-P-200 ask 1x9
      batch alice combo 1 @ market sell AAPL-C-200 buy AAPL-P-200`;
    onSets(`${sold('5x1 1x9')}   filled sell AAPL-C-200 1@5, buy AAPL-P-200 1@1`, { paperCash: '37.03' });
    onSets(`${sold('5x9')}   rejected insufficient margin for short (need ~41.03, have 37.03)`, {
      paperCash: '37.03',
    });
    // The buy takes the only ask near: the two that stay short are marked at 90.
    onSets(
      `
      margin alice on
      quote AAPL-C-200 bid 1.20x5
      sell alice AAPL-C-200 3 @ market                               filled 3@1.20
      quote AAPL-C-200 ask 1.30x1 90x9
      quote AAPL-C-200 bid
      quote AAPL-P-200 ask 1x9
      batch alice combo 1 @ market buy AAPL-C-200 buy AAPL-P-200     rejected margin call — reduce-only (buy back shorts)`,
      { paperCash: '200' },
    );
  });
});

describe('CMB-2 DET-6 a combo in a margin call', () => {
  /** Short a call and long another; the spot takes the account into a call. */
  const CALLED = `
    margin alice on
    quote AAPL-C-200 bid 5x9 ask 5.10x9
    quote AAPL-C-190 bid 12x9 ask 12.10x9
    sell alice AAPL-C-200 2 @ market                                filled 2@5
    buy alice AAPL-C-190 1 @ market                                 filled 1@12.10
    quote AAPL-C-200 bid 24x9 ask 24.10x9
    quote AAPL-C-190 bid 33x9 ask 33.10x9
    spot AAPL 220
    account alice                                                   marginCall yes
  `;

  test('reduces with every leg, longs too, and lowers the maintenance margin', () => {
    onSets(
      `${CALLED}
      sell alice AAPL-C-190 1 @ market                              rejected margin call — reduce-only (buy back shorts)
      batch alice combo 1 @ market id a buy AAPL-C-200 sell AAPL-C-190   filled buy AAPL-C-200 1@24.10, sell AAPL-C-190 1@33
      position alice AAPL-C-200                                     qty -1
      position alice AAPL-C-190                                     qty 0`,
      { paperCash: '100' },
    );
  });

  test('is refused where a leg reduces nothing, or more than there is', () => {
    const refused = 'rejected margin call — reduce-only (buy back shorts)';
    onSets(
      `${CALLED}
      batch alice combo 1 @ market buy AAPL-C-200 buy AAPL-C-190            ${refused}
      batch alice combo 1 @ market buy AAPL-C-200 sell AAPL-P-200           ${refused}
      batch alice combo 1 @ market buy AAPL-C-200 sell AAPL-C-190 x2        ${refused}
      batch alice combo 1.000001 @ market buy AAPL-C-200 sell AAPL-C-190    ${refused}
      buy alice AAPL-C-200 2 @ 1                                            rested
      batch alice combo 1 @ market buy AAPL-C-200 sell AAPL-C-190           ${refused}
      batch alice cancel-all                                                pulled 1
      batch alice combo 1 @ market fok buy AAPL-C-200 x3 sell AAPL-C-190    ${refused}
      batch alice combo 1 @ market fok buy AAPL-C-200 x2 sell AAPL-C-190    filled buy AAPL-C-200 2@24.10, sell AAPL-C-190 1@33`,
      { paperCash: '100' },
    );
  });

  test('is refused where no maintenance margin falls', () => {
    onSets(
      `
      margin alice on
      quote AAPL-C-200 bid 5x9 ask 5.10x9
      quote AAPL-C-190 bid 12x9 ask 12.10x9
      quote AAPL-C-195 bid 8x9 ask 8.10x9
      sell alice AAPL-C-200 2 @ market                              filled 2@5
      buy alice AAPL-C-190 1 @ market                               filled 1@12.10
      buy alice AAPL-C-195 1 @ market                               filled 1@8.10
      quote AAPL-C-200 bid 60x9 ask 60.10x9
      spot AAPL 240
      account alice                                                 marginCall yes
      batch alice combo 1 @ market sell AAPL-C-190 sell AAPL-C-195  rejected margin call — reduce-only (buy back shorts)`,
      { paperCash: '105' },
    );
  });

  test('may not run out of cash', () => {
    onSets(
      `${CALLED}
      quote AAPL-C-200 ask 99x9
      batch alice combo 1 @ market buy AAPL-C-200 x2 sell AAPL-C-190   rejected insufficient cash
      batch alice combo 2 @ market fok buy AAPL-C-200 sell AAPL-C-190  rejected margin call — reduce-only (buy back shorts)`,
      { paperCash: '100' },
    );
  });
});

describe('BAT-6 legs that meet one quote set share its allowance', () => {
  const SETS = `
    margin alice on
    protect alice 1 AAPL window 1s qty 10 frozen 0
    push alice 1 AAPL-C-190 ask 3.40x8 ; AAPL-C-200 ask 1.30x8      applied 2
  `;

  test('what one leg uses up is gone for the next', () => {
    onSets(`${SETS}
      batch bob combo 6 @ market fok buy AAPL-C-190 buy AAPL-C-200    rejected fok cannot fill
      batch bob combo 6 @ market id a buy AAPL-C-190 buy AAPL-C-200   partial buy AAPL-C-190 5@3.40, buy AAPL-C-200 5@1.30
      set alice 1                                                     used 10 frozen yes quotes 0
      closes bob                                                      a ioc
    `);
  });

  test('the next in line takes over where the net allows it', () => {
    const behind = `${SETS}
      quote AAPL-C-200 ask 2.30x1 5x9
    `;
    onSets(`${behind}
      batch bob combo 6 @ 5.70 buy AAPL-C-190 buy AAPL-C-200          partial buy AAPL-C-190 5.5@3.40, buy AAPL-C-200 4.5@1.30, buy AAPL-C-200 1@2.30
    `);
    onSets(`${behind}
      batch bob combo 6 @ 8.40 fok buy AAPL-C-190 buy AAPL-C-200      filled buy AAPL-C-190 6@3.40, buy AAPL-C-200 4@1.30, buy AAPL-C-200 1@2.30, buy AAPL-C-200 1@5
    `);
    onSets(`${behind}
      batch bob combo 6 @ 4.70 buy AAPL-C-200 buy AAPL-C-190          partial buy AAPL-C-200 5@1.30, buy AAPL-C-190 5@3.40
    `);
  });

  test('what is refused leaves the allowance and the books as they were', () => {
    const venue = onSets(`${SETS}
      buy bob AAPL-P-200 1 @ 99979                                    rested
      batch bob combo 5 @ market buy AAPL-C-190 buy AAPL-C-200        rejected insufficient buying power (need ~23.62, have 21.00)
      set alice 1                                                     used 0 frozen no quotes 2
      book AAPL-C-190                                                 ask alice/1 3.40x8
      batch bob combo 4 @ market buy AAPL-C-190 buy AAPL-C-200        filled buy AAPL-C-190 4@3.40, buy AAPL-C-200 4@1.30
      set alice 1                                                     used 8 frozen no quotes 2
    `);
    assert.equal(venue.state.quoteSets.stale.size, 0);
  });
});

describe('CMB-3 the preview of a combo', () => {
  test('shows the fills, what they cost and the account after, and changes nothing', () => {
    const venue = onSets(BOOKS);
    const alice = venue.account('alice');
    const legs = [
      { seriesId: seriesIdOf('AAPL-C-190'), side: 'buy', ratio: 1 },
      { seriesId: seriesIdOf('AAPL-C-200'), side: 'sell', ratio: 1 },
    ] as const;
    const asked = { legs, qtyMicros: 9_000_000, netMicros: 2_300_000 };
    const { lastOrderId } = venue.state;
    const terms = { tif: 'ioc', stp: 'taker' } as const;
    const { outcome, costMicros, feeMicros, after } = previewCombo(
      venue.state,
      alice,
      { ...asked, terms },
      venue.nowMs,
    );
    assert.equal(outcome.status, 'partial');
    assert.deepEqual([costMicros, feeMicros], [11_100_000, 114_500]);
    assert.equal(after.cashMicros, 100_000_000_000 - 11_214_500);
    assert.equal(alice.cashMicros, 100_000_000_000);
    assert.equal(venue.state.lastOrderId, lastOrderId);
    const action = { type: 'combo', ...asked, tif: 'ioc' } as const;
    venue.apply({ kind: 'batch', account: addressOf('alice'), actions: [action] });
    assert.equal(alice.cashMicros, after.cashMicros);
  });

  test('BAT-6 a set that the legs use up leaves a third series, too, where the account is short', () => {
    for (const [ask, status] of [
      ['500', 'filled'],
      ['5000', 'rejected'],
    ] as const) {
      const venue = onSets(`
        margin alice on
        margin carol on
        buy bob AAPL-C-210 50 @ 1                                    rested
        sell alice AAPL-C-210 50 @ 1                                 filled 50@1
        sell carol AAPL-C-210 1 @ ${ask}                             rested
        protect carol 1 AAPL window 1s qty 2 frozen 0
        push carol 1 AAPL-C-190 ask 3x1 ; AAPL-C-200 bid 2x1 ; AAPL-C-210 bid 1x1 ask 1.20x1   applied 3
      `);
      const alice = venue.account('alice');
      const legs = [
        { seriesId: seriesIdOf('AAPL-C-190'), side: 'buy', ratio: 1 },
        { seriesId: seriesIdOf('AAPL-C-200'), side: 'sell', ratio: 1 },
      ] as const;
      const asked = { legs, qtyMicros: 1_000_000, netMicros: null };
      const terms = { tif: 'ioc', stp: 'taker' } as const;
      const { outcome, after } = previewCombo(venue.state, alice, { ...asked, terms }, venue.nowMs);
      assert.equal(outcome.status, status);
      const action = { type: 'combo', ...asked, tif: 'ioc' } as const;
      const done = venue.apply({ kind: 'batch', account: addressOf('alice'), actions: [action] });
      const [result] = (done as BatchDone).results as readonly { status: string; reason?: string }[];
      const reason = outcome.status === 'rejected' ? outcome.reason : undefined;
      assert.deepEqual([result?.status, result?.reason], [status, reason]);
      assert.deepEqual(amountsOf(venue.state, alice), after);
    }
  });

  test('of a combo that would be declined says why', () => {
    const venue = onSets(BOOKS);
    const legs = [
      { seriesId: 'AAPL-1-C-1', side: 'buy', ratio: 1 },
      { seriesId: 'AAPL-1-C-2', side: 'sell', ratio: 1 },
    ] as const;
    const terms = { tif: 'fok', stp: 'taker' } as const;
    const combo = { legs, qtyMicros: 1, netMicros: null, terms };
    const { outcome, before, after } = previewCombo(venue.state, venue.account('alice'), combo, venue.nowMs);
    assert.deepEqual(outcome, { status: 'rejected', reason: 'unknown series' });
    assert.equal(after, before);
  });
});
