import { describe, test } from 'node:test';
import { onSets } from '../../test/sets.ts';
import { micros, Venue } from '../../test/venue.ts';
import { ANNOTATION_MS } from '../state/limits.ts';

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
    const venue = byModel(`
      quote AAPL-C-200/3 bid - iv 0.8          kept
      quote AAPL-C-210/3 bid - iv 0.8          kept
      open carol
      margin alice on
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-200/3 ask 9x5 ; AAPL-C-210/3 ask 9x5   applied 2
    `);
    for (const laterMs of [60_000, ANNOTATION_MS + 60_000]) {
      venue.wait(laterMs);
      onSets('preview carol buy AAPL-C-200/3 1 @ 9   filled 1@9', { venue });
      venue.wait(-laterMs);
      // Replayed without the preview.
      onSets('buy carol AAPL-C-200/3 1 @ 9           filled 1@9', { venue });
    }
  });
});
