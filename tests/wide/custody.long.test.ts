/** Money in and out with daemons that are killed throughout; their every step is left to the night. */

// @seconds 12

import { test } from 'node:test';
import { liveAmongKills } from './custody-lives.ts';

test('RES-1: two wallets, 10 payouts, daemons killed throughout: equal to the micro, covered at every block', (t) =>
  liveAmongKills(t, { wallets: 2, kills: 1 }));
