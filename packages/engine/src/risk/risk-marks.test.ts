import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Micros } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import { isStanding } from '../quoting/quote-row.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import type { State } from '../state/state.ts';
import { memosOf } from './memos.ts';
import { markParts } from './risk-marks.ts';

/** A hundred dollars of premium bend a mark, so that the tables stay small. */
const MODEL = { riskMark: 'model', impactMicros: micros('100') } as const;

/*
 * Values of the formula, worked out with forty digits: twelve hours before the cutoff, a volatility of 0.3 and a spot of
 * 200, a call of 200 is worth 0.885926 and one of 210 0.000002; with a volatility of 5 the call of 190 is worth
 * 19.922854. The band is the greater of 2 (1 % of spot) and 10 % of the model.
 */

describe('RSK-1 where marks come from', () => {
  test('by the book an annotation changes nothing', () => {
    scenario(
      `
      quote AAPL-C-200 bid 3x100 ask 3.20x100 iv 0.3
      marks AAPL-C-200                     iv 0.3 model 0.885926 bid 3 ask 3.20 book 3.10 risk 3.10
      buy alice AAPL-C-200 1 @ market      filled 1@3.20
      account alice                        equity 99999.884
    `,
      { impactMicros: micros('100') },
    );
  });

  test('by the model it is the mark of equity, margin and unrealised profit, and not of book and tape', () => {
    // Band 2: 2.885926. Entry 2.885926 + 40, maintenance 2.885926 + 24.
    scenario(
      `
      quote AAPL-C-200 bid 3x100 ask 3.20x100 iv 0.3
      margin bob on
      sell bob AAPL-C-200 1 @ market       filled 1@3
      marks AAPL-C-200                     book 3.10 risk 2.885926
      mark AAPL-C-200                      3.10
      account bob                          cash 100002.985 equity 100000.099074 locked 42.885926 maintenance 26.885926
      account bob                          buyingPower 99960.099074 unrealized 0.114074
      position bob AAPL-C-200              unrealized 0.114074
    `,
      MODEL,
    );
  });

  test('a change of the parameter moves every mark with its entry', () => {
    const venue = scenario('quote AAPL-C-200 bid 3x100 ask 3.20x100 iv 0.3', MODEL);
    const { parameters } = venue.state;
    venue.apply({ kind: 'configure', parameters: { ...parameters!, riskMark: 'book' } });
    scenario('marks AAPL-C-200    risk 3.10', venue);
    venue.apply({ kind: 'configure', parameters: { ...parameters!, impactMicros: micros('1000') } });
    scenario('marks AAPL-C-200    bid none ask none risk 0.885926', venue);
  });
});

describe('RSK-2 the mark lies within the impact prices, near the model', () => {
  const table = (title: string, rows: string) =>
    test(title, () => {
      scenario(rows, MODEL);
    });

  table(
    'between them it is the model',
    `
    quote AAPL-C-200 bid 0.80x200 ask 0.90x200 iv 0.3
    marks AAPL-C-200                       bid 0.80 ask 0.90 book 0.85 risk 0.885926
  `,
  );
  table(
    'a bid above the model lifts it, by no more than 1 % of spot',
    `
    quote AAPL-C-200 bid 1.50x200 ask 1.60x200 iv 0.3
    marks AAPL-C-200                       model 0.885926 bid 1.50 risk 1.50
    quote AAPL-C-200 bid 2.885926x200 ask 3x200
    marks AAPL-C-200                       risk 2.885926
    quote AAPL-C-200 bid 2.90x200 ask 3x200
    marks AAPL-C-200                       bid 2.90 risk 2.885926
    quote AAPL-C-200 bid 40x200 ask 41x200
    marks AAPL-C-200                       bid 40 risk 2.885926
  `,
  );
  table(
    'an ask below the model lowers it, by no more than 10 % of the model where that is more',
    `
    quote BTC-C-100000 bid 700x1 ask 710x1 iv 0.5
    marks BTC-C-100000                     model 738.265277 ask 710 risk 710
    quote AAPL-C-190 bid 16x20 ask 17x20 iv 5
    marks AAPL-C-190                       model 19.922854 ask 17 risk 17.922854
    quote AAPL-C-190 bid 10x20 ask 11x20
    marks AAPL-C-190                       ask 11 risk 17.922854
  `,
  );
  table(
    'never below intrinsic',
    `
    quote AAPL-C-190 bid 8x20 ask 9x20 iv 0.3
    marks AAPL-C-190                       model 10 ask 9 risk 10
  `,
  );
  test('never above the spot for a call, or the strike for a put', () => {
    const venue = Venue.listed(MODEL);
    scenario(
      `
      spot AAPL 0.50
      quote AAPL-C-190 bid 0.60x200 ask 0.70x200 iv 5
      marks AAPL-C-190                     model 0 bid 0.60 risk 0.005
      quote AAPL-P-190 bid 195x1 ask 196x1 iv 5
      marks AAPL-P-190                     model 189.5 bid 195 risk 190
    `,
      venue,
    );
  });
  table(
    'without a volatility it is intrinsic, whatever the book holds (DET-8)',
    `
    quote AAPL-C-190 bid 40x200 ask 41x200
    marks AAPL-C-190                       iv none model none bid 40 ask 41 book 40.50 risk 10
    quote AAPL-C-200 bid 40x200 ask 41x200
    marks AAPL-C-200                       iv none risk 0
  `,
  );
  table(
    'series in review keep the mark of the contract',
    `
    quote AAPL-C-190 bid 40x200 ask 41x200 iv 0.3
    wait to cutoff
    marks AAPL-C-190                       model 10 bid 40 risk 12
    wait 1ms
    maintain
    status AAPL-C-190                      pending-review
    marks AAPL-C-190                       iv none model none bid none risk 10
  `,
  );
});

describe('RSK-2 DET-8 impact prices', () => {
  const table = (title: string, rows: string) =>
    test(title, () => {
      scenario(rows, MODEL);
    });

  table(
    'are the average of the first contracts worth the premium, rounded down',
    `
    quote AAPL-C-200 bid 3x10 2x50 ask 4x10 5x50
    marks AAPL-C-200                       bid 2.222222 ask 4.545454
  `,
  );
  table(
    'a side that holds a micro less than the premium is no bound',
    `
    quote AAPL-C-200 bid 2x49.999999 ask 4x25
    marks AAPL-C-200                       bid none ask 4
  `,
  );
  table(
    'the contracts are rounded up to the micro',
    `
    -- 100 / 3 is 33.333333 and a third: 33.333334 contracts have to be there
    quote AAPL-C-200 bid 3x33.333333 ask 4x24.9
    marks AAPL-C-200                       bid none ask none
    quote AAPL-C-200 bid 3x33.333334 ask 4x24.9 5x0.1
    marks AAPL-C-200                       bid 3 ask 4.003202
  `,
  );
  table(
    'are of one contract at least',
    `
    quote BTC-C-100000 bid 3000x0.5 1000x0.5 ask 4000x0.999999
    marks BTC-C-100000                     bid 2000 ask none
  `,
  );
  table(
    'see orders of several accounts, in priority',
    `
    buy alice AAPL-C-200 10 @ 3            rested
    buy bob AAPL-C-200 10 @ 3              rested
    buy bob AAPL-C-200 40 @ 1              rested
    marks AAPL-C-200                       bid 1.666666
  `,
  );

  table(
    'pass over what is worth less than a thousandth of the impact size, in premium or in contracts',
    `
    -- a thousandth of 100 dollars
    margin eve on
    buy eve AAPL-C-200 0.025 @ 3.99        rested
    quote AAPL-C-200 bid 3x50 ask 5x20
    marks AAPL-C-200                       bid 3 ask 5
    buy frank AAPL-C-200 0.025063 @ 3.99   rested
    marks AAPL-C-200                       bid 3.000744
    -- a thousandth of a contract
    sell eve AAPL-C-200 0.05 @ market      filled 0.025@3.99 0.025@3.99
    marks AAPL-C-200                       bid 3
    buy alice BTC-C-100000 0.000999 @ 3900 rested
    buy alice BTC-C-100000 1 @ 3000        rested
    marks BTC-C-100000                     bid 3000
    buy alice BTC-C-100000 0.001 @ 3900    rested
    marks BTC-C-100000                     bid 3000.90
  `,
  );

  test('no number of dust orders takes the bound of a book away', () => {
    const venue = Venue.listed({ ...MODEL, impactMicros: micros('1000') });
    scenario('quote AAPL-C-200 bid 3x2000', venue);
    const { seriesId } = venue.series('AAPL-C-200');
    const dust = { kind: 'order', account: venue.account('eve').address!, seriesId, side: 'buy' } as const;
    for (let n = 0; n < 1_001; n++) venue.apply({ ...dust, qtyMicros: 1, priceMicros: micros('4') });
    scenario('marks AAPL-C-200      bid 3', venue);
  });

  test('what a set still lets a quote trade may be dust, and every change of its allowance is seen at once', () => {
    scenario(
      `
      margin eve on
      protect alice 1 AAPL window 10m qty 50 frozen 0
      push alice 1 AAPL-C-200 bid 2x20 ; AAPL-C-190 bid 12x50   applied 2
      quote AAPL-C-200 bid 1.50x100 iv 0.3
      marks AAPL-C-200                       bid 1.666666 risk 1.666666
      sell eve AAPL-C-190 49.95 @ market     filled 49.95@12
      -- a twentieth is left for both series: twice that is a thousandth of 100 dollars
      marks AAPL-C-200                       bid 1.500375 risk 1.500375
      sell eve AAPL-C-190 0.03 @ market      filled 0.03@12
      marks AAPL-C-200                       bid 1.5 risk 1.5
      unfreeze-set alice 1
      marks AAPL-C-200                       bid 1.666666 risk 1.666666
    `,
      MODEL,
    );
  });

  test('the last quote of a price no longer counts once its set leaves it dust, though the price takes less', () => {
    scenario(
      `
      margin eve on
      protect alice 1 AAPL window 10m qty 50 frozen 0
      push alice 1 AAPL-C-200 bid 1.50x20 ; AAPL-C-190 bid 12x50   applied 2
      quote AAPL-C-200 bid 2x49.98 iv 0.3
      marks AAPL-C-200                       bid 1.999733 risk 1.999733
      sell eve AAPL-C-190 49.95 @ market     filled 49.95@12
      marks AAPL-C-200                       bid none risk 0.885926
    `,
      MODEL,
    );
  });

  test('QTS-3: fills of another set change no price, and those of one that a price met do', () => {
    const venue = Venue.listed(MODEL);
    scenario(
      `
      margin eve on
      protect alice 1 AAPL window 10m qty 50 frozen 0
      protect bob 1 AAPL window 10m qty 50 frozen 0
      push alice 1 AAPL-C-200 bid 2x20 ; AAPL-C-190 bid 12x50   applied 2
      push bob 1 AAPL-C-195 bid 6x40 ; AAPL-C-200 bid 0.50x40   applied 2
      quote AAPL-C-200 bid 1.50x100 iv 0.3
      marks AAPL-C-200                       risk 1.666666
    `,
      venue,
    );
    const { sid } = venue.series('AAPL-C-200');
    const impact = () => memosOf(venue.state).markRows[sid]!.impact;
    const before = impact();
    scenario('sell eve AAPL-C-195 1 @ market   filled 1@6\nmarks AAPL-C-200   risk 1.666666', venue);
    assert.equal(impact(), before, 'walked again');
    scenario('sell eve AAPL-C-190 1 @ market   filled 1@12\nmarks AAPL-C-200   risk 1.666666', venue);
    assert.equal(impact(), before, 'walked again, though its allowance covers as much');
    // Past what the venue remembers of changes, it looks at all sets that the price met.
    const forget = () => {
      for (let n = 0; n < 300; n++) venue.state.quoteSets.noteChange(bobsSet(venue));
    };
    forget();
    scenario('marks AAPL-C-200   risk 1.666666', venue);
    assert.equal(impact(), before);
    scenario('sell eve AAPL-C-190 48.98 @ market   filled 48.98@12', venue);
    forget();
    scenario('marks AAPL-C-200   risk 1.5', venue);
  });
});

function bobsSet(venue: Venue) {
  return venue.state.quoteSets.find(venue.account('bob').index, 1)!;
}

describe('RSK-2 DET-8 the model and its age', () => {
  test('whole minutes to the cutoff are rounded up, by the time of the last entry', () => {
    // 0.885310 for 719 minutes.
    scenario(
      `
      quote AAPL-C-200 bid - iv 0.3   kept
      marks AAPL-C-200                     model 0.885926
      wait 1m
      marks AAPL-C-200                     model 0.885926
      spot AAPL 200
      marks AAPL-C-200                     model 0.885310 risk 0.885310
      wait to cutoff -1ms
      spot AAPL 200
      marks AAPL-C-200                     model 0.033016
      wait 1ms
      spot AAPL 201
      marks AAPL-C-200                     model 1 risk 1
    `,
      MODEL,
    );
  });

  test('the newest volatility in (0, 5] counts, with a level or without', () => {
    scenario(
      `
      quote AAPL-C-200 bid 0.80x200 ask 0.90x200 iv 0.3
      marks AAPL-C-200                     iv 0.3
      quote AAPL-C-200 iv 0                kept
      marks AAPL-C-200                     iv 0.3
      quote AAPL-C-200 iv 5.000001                kept
      marks AAPL-C-200                     iv 0.3
      quote AAPL-C-200 iv 5                kept
      marks AAPL-C-200                     iv 5 model 14.744473
      quote AAPL-C-200 bid - ask -
      marks AAPL-C-200                     iv 5
    `,
      MODEL,
    );
  });

  test('an annotation counts for 24 hours to the millisecond', () => {
    scenario(
      `
      quote AAPL-C-200/3 bid - iv 0.3   kept
      wait 24h
      spot AAPL 200
      marks AAPL-C-200/3                   iv 0.3
      wait 1ms
      spot AAPL 200
      marks AAPL-C-200/3                   iv none model none risk 0
    `,
      MODEL,
    );
  });

  test('a repeated annotation reaches the log again once the recorded one is an hour old', () => {
    const venue = scenario('quote AAPL-C-200/3 bid - iv 0.3   kept', MODEL);
    const { sid } = venue.series('AAPL-C-200/3');
    const repeats = () => isStanding(venue.state, { sid, bids: null, asks: null, iv: 0.3 }, venue.state.ts);
    const wait = (ms: number) => {
      venue.wait(ms);
      venue.print('AAPL', 'feed', '200');
    };
    assert.equal(repeats(), true);
    wait(3_600_000 - 1);
    assert.equal(repeats(), true);
    wait(1);
    assert.equal(repeats(), false);
    const { ts } = venue.state;
    assert.equal(isStanding(venue.state, { sid, bids: null, asks: null }, ts), true, 'without a volatility');
    assert.equal(isStanding(venue.state, { sid, bids: [], asks: [] }, ts), true);
  });

  test('a snapshot keeps an annotation that counts, and none that does not', () => {
    const venue = scenario('quote AAPL-C-200/3 bid - iv 0.3   kept', MODEL);
    const rows = () => [...stateLines(venue.state)].filter((line) => line.includes('"annotation"'));
    assert.equal(rows().length, 1);
    const restored = restoreState(stateLines(venue.state));
    assert.equal(stateDigest(restored), stateDigest(venue.state));
    assert.equal(restored.series[venue.series('AAPL-C-200/3').sid]!.annotatedIv, 0.3);
    venue.wait(24 * 3_600_000 + 1);
    venue.print('AAPL', 'feed', '200');
    assert.deepEqual(rows(), []);
  });
});

describe('RSK-2 counterexample 7: no stranger sets the model', () => {
  test('annotations of a quote set count for a mark maker, and for nobody else', () => {
    const venue = Venue.listed({ ...MODEL, markMakers: [addressOf('maria')] });
    for (const name of ['maria', 'eve']) {
      venue.apply({
        kind: 'batch',
        account: venue.account(name).address!,
        actions: [
          {
            type: 'protect',
            set: 1,
            symbol: 'AAPL',
            windowMs: 1_000,
            qtyMicros: micros('10'),
            frozenMs: 0,
          },
        ],
      });
    }
    const push = (name: string, iv: number) =>
      venue.apply({
        kind: 'quote-set',
        account: venue.account(name).address!,
        set: 1,
        form: 'json',
        bodyHash: '0'.repeat(64),
        rows: [{ sid: venue.series('AAPL-C-200').sid, bids: [[1, 1]], asks: null, iv }],
      });
    push('eve', 5);
    scenario('marks AAPL-C-200    iv none model none risk 0', venue);
    push('maria', 0.3);
    scenario('marks AAPL-C-200    iv 0.3', venue);
    push('eve', 5);
    scenario('marks AAPL-C-200    iv 0.3', venue);
    push('maria', 5.1);
    scenario('marks AAPL-C-200    iv 0.3', venue);
  });
});

test('RSK-2 DET-5 quotes that use up a set in another series bound a mark until they leave, in any order of reads', () => {
  const venue = Venue.listed(MODEL);
  const [near, far] = [venue.series('AAPL-C-200'), venue.series('AAPL-C-195')];
  const account = venue.account('alice').address!;
  const without = { bids: null, asks: null } as const;
  venue.apply({ kind: 'quotes', session: null, rows: [{ sid: near.sid, ...without, iv: 0.3 }] });
  const protection = { qtyMicros: micros('100'), deltaMicros: 5_100, windowMs: 1_000, frozenMs: 0 };
  venue.apply({
    ...{ kind: 'batch', account },
    actions: [{ type: 'protect', set: 1, symbol: 'AAPL', ...protection }],
  });
  // After the first level less is left of the delta than a micro of the other series counts.
  const levels = [
    [micros('2'), micros('25')],
    [micros('1.99'), micros('26')],
  ] as const;
  venue.apply({
    ...{ kind: 'quote-set', account, set: 1, form: 'json', bodyHash: '0'.repeat(64) },
    rows: [
      { sid: near.sid, bids: levels, asks: null, delta: 0.0001 },
      { sid: far.sid, bids: [[micros('0.1'), 1]], asks: null, delta: 3_000 },
    ],
  });
  const markOf = (state: State) => markParts(state, state.series[near.sid]!).riskMicros;
  const agree = (expected: Micros) => {
    const { state } = venue;
    const others = [state, { ...state, riskMemos: null }, restoreState([...stateLines(state)])];
    assert.deepEqual(others.map(markOf), [expected, expected, expected]);
  };
  agree(micros('0.885926'));
  const scope = { series: [far.seriesId] };
  venue.apply({ kind: 'batch', account, actions: [{ type: 'cancel-all', scope }] });
  agree(micros('1.994987'));
});
