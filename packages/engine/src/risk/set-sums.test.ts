import { describe, test } from 'node:test';
import { onSets } from '../../test/sets.ts';
import { micros, Venue } from '../../test/venue.ts';

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
    `).checkReplay();
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
    `).checkReplay();
  });
});
