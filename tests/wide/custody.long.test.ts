/** Money in and out with daemons that are killed throughout; their every step is left to the night. */

// @seconds 20

import { test } from 'node:test';
import { liveAmongKills } from './custody-lives.ts';

test('RES-1: three wallets, 15 payouts, daemons killed throughout: equal to the micro, covered at every block', (t) =>
  liveAmongKills(t, { wallets: 3, kills: 2 }));
