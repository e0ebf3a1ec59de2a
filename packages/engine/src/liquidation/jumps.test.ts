import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros, Venue } from '../../test/venue.ts';
import { apply } from '../engine.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { LIQUIDATION_SLICE_WORK } from '../state/limits.ts';
import type { VenueParameters } from '../state/parameters.ts';
import { addAccount } from '../state/state.ts';

const STOP = { jumpStopBps: 1_500, paperCashMicros: micros('1000'), marginPremium: 'intrinsic' } as const;
const ticks = (count: number) => TICK.repeat(count);
/** Cash 1029.85. At 300 ten calls are 900 in the money, and maintenance is 10 x (90 + 36). Nobody quotes. */
const SHORT = `
  quote AAPL-C-210 bid 3x10 ask -
  margin alice on
  sell alice AAPL-C-210 10 @ 3             filled 10@3
  ${ticks(2)}
`;
/** The second tick gives everything to the house if nothing stops it. */
const UP = 'spot AAPL 300';

describe('RSK-5 a jump stops liquidation', () => {
  test('while the spot is further from the median of its last minute than the bound', () => {
    scenario(
      `
      ${SHORT}
      ${UP}
      account alice                            marginCall yes
      ${ticks(3)}
      instrument AAPL                          spot 300 median 200 stopped yes
      position alice AAPL-C-210                qty -10
      spot AAPL 200
      ${ticks(3)}
      instrument AAPL                          stopped no
      account alice                            cash 1029.85 marginCall no
    `,
      STOP,
    );
  });

  test('not at the very bound, nor without one', () => {
    const at = (price: string, parameters: Partial<VenueParameters>) =>
      scenario(`${SHORT}\nspot AAPL ${price}\n${TICK}`, parameters).state.instruments.get('AAPL')!.jump;
    assert.equal(at('230', STOP), null);
    assert.equal(at('170', STOP), null);
    assert.notEqual(at('230.000001', STOP), null);
    assert.notEqual(at('169.999999', STOP), null);
    assert.equal(at('20000', { ...STOP, jumpStopBps: 0 }), null);
  });

  test('of a price that stays no longer than until the median has followed it', () => {
    // 30 seconds of 200 and 30 of 300 have a median between them, which 300 is 20 % above.
    scenario(
      `
      ${SHORT}
      ${ticks(10)}
      ${UP}
      ${ticks(6)}
      instrument AAPL                          median 250 stopped yes
      position alice AAPL-C-210                qty -10
      ${TICK}
      instrument AAPL                          median 300 stopped no
      position alice AAPL-C-210                qty 0
    `,
      STOP,
    );
  });

  test('for at most a minute, whatever the price does meanwhile', () => {
    const steps = [300, 450, 700, 1_000].map((price) => `spot AAPL ${price}\n${ticks(3)}`);
    // The first of these twelve ticks began the jump.
    const after = (ms: number) => `
      ${SHORT}
      ${steps.join('\n')}
      spot AAPL 1500
      wait ${ms}ms
      maintain
    `;
    scenario(`${after(4_999)}\ninstrument AAPL stopped yes\nposition alice AAPL-C-210 qty -10`, STOP);
    scenario(
      `${after(5_000)}\ninstrument AAPL spot 1500 median 700 stopped no\nposition alice AAPL-C-210 qty 0`,
      STOP,
    );
  });

  test('an outage counts as the price that stood', () => {
    scenario(
      `
      ${SHORT}
      wait 1h
      maintain
      ${UP}
      ${TICK}
      instrument AAPL                          median 200 stopped yes
    `,
      STOP,
    );
  });
});

describe('RSK-5 a jump is over once the spot has been back for a minute', () => {
  /** Far at every third tick of a minute, too seldom for the median to follow. */
  const FLAPPING = `${UP}\n${TICK}\nspot AAPL 200\n${ticks(2)}\n`.repeat(4);
  const AGAIN = `spot AAPL 20000\n${ticks(2)}`;

  test('one that comes and goes has one minute, after which accounts are liquidated', () => {
    const venue = scenario(`${SHORT}\n${FLAPPING}\nposition alice AAPL-C-210 qty -10`, STOP);
    scenario(`${AGAIN}\ninstrument AAPL stopped no\nposition alice AAPL-C-210 qty 0`, venue);
  });

  test('nor does it begin again before a minute of calm, at the end of which it does', () => {
    const calm = (ms: number) => {
      const venue = scenario(`${SHORT}\n${FLAPPING}\nspot AAPL 200`, STOP);
      const { backTs } = venue.state.instruments.get('AAPL')!.jump!;
      venue.nowMs = backTs! + ms;
      scenario('spot AAPL 20000\nmaintain', venue);
      return venue.state.instruments.get('AAPL')!.jump!.sinceTs === venue.nowMs;
    };
    assert.equal(calm(59_999), false);
    assert.equal(calm(60_000), true);
  });

  test('a restart or another node at any moment of it changes nothing', () => {
    const venue = scenario(`${SHORT}\n${FLAPPING}\n${AGAIN}\nspot AAPL 200\n${ticks(14)}\n${AGAIN}`, STOP);
    const digest = stateDigest(venue.state);
    for (let at = 1; at < venue.log.length; at += 3) {
      const restored = restoreState(stateLines(venue.replay(at)));
      assert.equal(stateDigest(venue.replay(venue.log.length, restored)), digest, `restored after ${at}`);
    }
  });
});

describe('RSK-5 whom it concerns', () => {
  test('everybody who holds contracts on the symbol, long or short, and nobody else', () => {
    const venue = scenario(
      `
      margin alice on
      margin bob on
      margin carol on
      quote BTC-C-110000 bid 30x1 ask 31x1
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      sell alice BTC-C-110000 0.01 @ 30        filled 0.01@30
      sell bob BTC-C-110000 0.01 @ 30          filled 0.01@30
      sell carol BTC-C-110000 0.01 @ 30        filled 0.01@30
      buy bob AAPL-C-210 0.01 @ 3.20           filled 0.01@3.2
      buy carol AAPL-C-210 0.01 @ 3.20         filled 0.01@3.2
      sell carol AAPL-C-210 0.01 @ 3           filled 0.01@3
      quote BTC-C-110000 bid - ask -
      ${ticks(2)}
      spot AAPL 300
      print other BTC 100000
      quote BTC-C-110000 bid 120000x1 ask -
      account alice                            marginCall yes
      account bob                              marginCall yes
      account carol                            marginCall yes
      ${ticks(2)}
      position alice BTC-C-110000              qty 0
      position bob BTC-C-110000                qty -0.01
      position carol BTC-C-110000              qty 0
    `,
      STOP,
    );
    venue.wait(5_000);
    const outcome = venue.maintain([]);
    assert.ok('stopped' in outcome);
    assert.deepEqual(outcome.stopped, ['AAPL'], 'the entry names the symbol');
  });

  test('RSK-4 the four ticks of an account wait and go on', () => {
    scenario(
      `
      quote AAPL-C-210 bid 3x10 ask - iv 0.3
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      ${ticks(12)}
      spot AAPL 290
      ${ticks(6)}
      instrument AAPL                          median 245 stopped yes
      quote AAPL-C-210 bid - ask 82x20
      ${ticks(2)}
      instrument AAPL                          median 290 stopped no
      position alice AAPL-C-210                qty -5
      spot AAPL 340
      quote AAPL-C-210 bid - ask 132x20
      ${ticks(3)}
      instrument AAPL                          stopped yes
      position alice AAPL-C-210                qty -5
      spot AAPL 290
      quote AAPL-C-210 bid - ask 82x20
      ${TICK}
      position alice AAPL-C-210                qty -2.5
      ${TICK}
      position alice AAPL-C-210                qty 0
    `,
      { ...STOP, riskMark: 'model', impactMicros: micros('1000') },
    );
  });

  test('OWN-33 also those whose slice comes after prints that were on their way', () => {
    const venue = scenario(`${SHORT}\n${ticks(2)}`, STOP);
    const { state } = venue;
    const alice = venue.account('alice');
    // She is called, and stands behind as many accounts as a slice may look at.
    alice.wasCalled = true;
    state.accounts.splice(alice.index, 1);
    for (let i = 0; i <= LIQUIDATION_SLICE_WORK; i++) addAccount(state, 'trader', null);
    state.accounts.push(alice);
    const next = (command: Parameters<typeof apply>[1]['command'], ms: number) =>
      apply(state, { seq: state.seq + 1, ts: state.ts + ms, command }, NO_EFFECTS);
    const maintain = { kind: 'maintain', expiries: [] } as const;
    const first = next(maintain, 5_000);
    assert.ok('stopped' in first && first.unfinished && first.stopped.length === 0);
    next({ kind: 'prints', prints: [{ symbol: 'AAPL', source: 'feed', priceMicros: micros('20000') }] }, 1);
    const second = next(maintain, 1);
    assert.ok('stopped' in second && second.stopped[0] === 'AAPL');
    assert.equal(alice.positions.get(venue.series('AAPL-C-210').sid)!.qtyMicros, micros('-10'));
  });
});

describe('RSK-5 the parameter', () => {
  const parametersOf = (venue: Venue) => venue.state.parameters!;
  const remembered = (venue: Venue) =>
    [...venue.state.instruments.values()].filter(({ spots, jump }) => spots.length > 0 || jump !== null)
      .length;

  test('without it nothing is remembered', () => {
    const venue = scenario(`${SHORT}\n${UP}\n${ticks(2)}`, { ...STOP, jumpStopBps: 0 });
    assert.equal(remembered(venue), 0);
  });

  test('put in force later, it begins with the spot of that moment; put out of force, it forgets', () => {
    const venue = Venue.listed();
    venue.wait(60_000);
    venue.apply({ kind: 'configure', parameters: { ...parametersOf(venue), jumpStopBps: 1_500 } });
    scenario(`wait 5s\n${UP}\n${TICK}\ninstrument AAPL median 200 stopped yes`, venue);
    assert.equal(remembered(venue), 2);
    venue.apply({ kind: 'configure', parameters: { ...parametersOf(venue), jumpStopBps: 0 } });
    assert.equal(remembered(venue), 0);
    scenario('instrument AAPL stopped no', venue);
  });

  test('a feed that prints all the time is remembered by the second', () => {
    const venue = Venue.listed(STOP);
    for (let i = 0; i < 2_000; i++) {
      venue.wait(100);
      venue.print('AAPL', 'feed', String(200 + (i % 7)));
    }
    assert.equal(venue.state.instruments.get('AAPL')!.spots.length, 61);
    venue.checkReplay();
  });
});
