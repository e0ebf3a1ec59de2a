import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { micros, type Venue } from '../../test/venue.ts';
import { brokenInvariants } from '../invariants.ts';

/**
 * Two spreads of 10, one a day later, that together require all the cash but 7.97. Then nobody quotes the long of the
 * first any more, and its short is offered at 100 alone: marks take the equity below zero, and call nobody.
 */
const DEPLETED = `
  quote AAPL-C-200 bid 8x10 ask 8.20x10
  quote AAPL-C-210 bid 3.90x10 ask 4x10
  quote AAPL-C-200/2 bid 8x10 ask 8.20x10
  quote AAPL-C-210/2 bid 3.90x10 ask 4x10
  margin alice on
  batch alice margin-mode defined-risk      ok
  buy alice AAPL-C-210 1 @ 4                filled 1@4
  sell alice AAPL-C-200 1 @ 8               filled 1@8
  buy alice AAPL-C-210/2 1 @ 4              filled 1@4
  sell alice AAPL-C-200/2 1 @ 8             filled 1@8
  quote AAPL-C-210 bid - ask -
  quote AAPL-C-200 bid - ask 100x10
  account alice                             cash 27.97 locked 20.000004 equity -76.18 marginCall no
`;

function on(table: string): Venue {
  const venue = scenario(table, { paperCashMicros: micros('20.09') });
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  return venue;
}

describe('DRM-6 CMB-2 what closes covered shorts of an account whose equity marks have taken', () => {
  test('a combo that closes a spread for less than it requires', () => {
    on(`${DEPLETED}
        batch alice combo 1 @ 4.3 buy AAPL-C-200/2 sell AAPL-C-210/2   filled buy AAPL-C-200 1@8.20, sell AAPL-C-210 1@3.90
        account alice                       locked 10.000002`);
  });

  test('a buy of its short in a batch; by itself it is the contract that decides', () => {
    on(`${DEPLETED}
        buy alice AAPL-C-200/2 1 @ 8.20           rejected account equity depleted
        preview alice buy AAPL-C-200/2 1 @ 8.20   rejected account equity depleted
        batch alice buy AAPL-C-200/2 1 @ 8.20     filled 1@8.20
        account alice                             locked 10.000002`);
  });

  test('nothing that requires as much or more, or that opens', () => {
    on(`${DEPLETED}
        batch alice buy AAPL-C-195 1 @ 1                                 rejected account equity depleted
        batch alice sell AAPL-C-210/2 1 @ 3.90                           rejected account equity depleted
        batch alice buy AAPL-C-200/2 1.000001 @ 8.20                     rejected account equity depleted
        batch alice buy AAPL-C-200/2 1 @ 1                               rejected account equity depleted
        batch alice combo 1 @ market sell AAPL-C-200/2 buy AAPL-C-210/2  rejected account equity depleted`);
  });

  test('no price that would leave the other spread without its cover in cash, and the reason says what would', () => {
    on(`${DEPLETED}
        quote AAPL-C-200/2 bid 8x10 ask 19x10
        batch alice buy AAPL-C-200/2 1 @ 19       rejected insufficient buying power (need ~9.09, have 7.97)
        quote AAPL-C-200/2 bid 8x10 ask 25x10
        batch alice combo 1 @ market buy AAPL-C-200/2 sell AAPL-C-210/2   rejected insufficient buying power (need ~11.24, have 7.97)
        quote AAPL-C-200/2 bid 8x10 ask 19x10
        batch alice combo 1 @ market buy AAPL-C-200/2 sell AAPL-C-210/2   filled buy AAPL-C-200 1@19, sell AAPL-C-210 1@3.90`);
  });
});
