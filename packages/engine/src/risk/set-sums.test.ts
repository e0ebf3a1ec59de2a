import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkSums } from '../../test/set-sums.ts';
import { onSets } from '../../test/sets.ts';
import { micros, Venue } from '../../test/venue.ts';
import { ANNOTATION_MS } from '../state/limits.ts';
import { SetNeed } from './set-reserve.ts';

/** Bob's ask is all that the impact price of the series' asks takes, and alice's ask stands behind it. */
const TWO_SETS = `
  quote AAPL-C-200 bid - iv 0.8            kept
  margin alice on
  margin bob on
  protect alice 1 AAPL qty 10
  protect bob 1 AAPL qty 10
  push bob 1 AAPL-C-200 ask 5x5
  push alice 1 AAPL-C-200 ask 6x5
  wait 5s
  maintain
`;

/** Alice's asks of 9 in two series, three days before they expire, with a mark of the model in each. */
const TWO_ASKS = `
  quote AAPL-C-200/3 bid - iv 0.8          kept
  quote AAPL-C-210/3 bid - iv 0.8          kept
  open carol
  margin alice on
  protect alice 1 AAPL qty 10
  push alice 1 AAPL-C-200/3 ask 9x5 ; AAPL-C-210/3 ask 9x5   applied 2
`;

function byModel(table: string): Venue {
  const parameters = { impactMicros: micros('10'), paperCashMicros: micros('10000000') };
  return onSets(table, { venue: Venue.listed({ riskMark: 'model', ...parameters }) });
}

describe('QTS-4 what a set needs is summed', () => {
  test('after another set that bounded its marks was filled and has ended', () => {
    byModel(`${TWO_SETS}
      buy carol AAPL-C-200 1 @ 9             filled 1@5
      protect bob 1 AAPL qty 0
      buy carol AAPL-C-200 1 @ 9             filled 1@6
      set alice 1                            used 1 quotes 1
    `);
  });

  test('after another account has made a set in the place of the one that ended', () => {
    byModel(`${TWO_SETS}
      buy carol AAPL-C-200 1 @ 9             filled 1@5
      protect bob 1 AAPL qty 0
      margin dave on
      protect dave 1 AAPL qty 2
      push dave 1 AAPL-C-200 ask 5x2
      buy carol AAPL-C-200 3 @ 9             filled 2@5 1@6
      set alice 1                            used 1 quotes 1
    `);
  });

  test('at the time of the entry, though a preview has looked at a later one', () => {
    const venue = byModel(TWO_ASKS);
    for (const laterMs of [60_000, ANNOTATION_MS + 60_000]) {
      venue.wait(laterMs);
      onSets('preview carol buy AAPL-C-200/3 1 @ 9   filled 1@9', { venue });
      venue.wait(-laterMs);
      // Replayed without the preview.
      onSets('buy carol AAPL-C-200/3 1 @ 9           filled 1@9', { venue });
    }
  });
});

/** Alice's reserve in millionths, once her sums are checked; at another time if one is given. */
function reserveAt(venue: Venue, ts = venue.state.ts): number {
  const state = { ...venue.state, ts };
  checkSums(state);
  const alice = state.quoteSets.find(venue.account('alice').index, 1)!;
  return new SetNeed(state).addAll(alice).reserveMicros(micros('10'));
}

describe('QTS-4 a kept sum changes', () => {
  test('with each minute, and a millisecond after the volatility has reached its age', () => {
    const venue = byModel(TWO_ASKS);
    const start = venue.state.ts;
    const ends = [60_000, 120_000, 3_600_000, ANNOTATION_MS + 1];
    for (const ms of ends) {
      const before = reserveAt(venue, start + ms - 1);
      assert.ok(reserveAt(venue, start + ms) < before, `${ms} ms`);
    }
  });

  test('with the allowance of another set, used up and made whole in a series that alice does not quote', () => {
    const venue = byModel(`${TWO_ASKS}
      margin bob on
      protect bob 1 AAPL qty 5
      push bob 1 AAPL-C-200/3 ask 4x5 ; AAPL-P-200/3 ask 1x5   applied 2
    `);
    const bounded = reserveAt(venue);
    // What is left is worth less than the impact size, and then so little that it does not count.
    for (const qty of ['3.5', '4.9999']) {
      onSets(`buy carol AAPL-P-200/3 ${qty} @ 1   filled ${qty}@1\nset bob 1   quotes 2`, { venue });
      assert.ok(reserveAt(venue) > bounded, `without ${qty}`);
      onSets('protect bob 1 AAPL qty 5\npush bob 1 AAPL-P-200/3 ask 1x5', { venue });
      assert.equal(reserveAt(venue), bounded, 'whole again');
    }
  });
});
