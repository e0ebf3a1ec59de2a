/** kill -9 under load, a few times. */

// @seconds 12

import { testKills } from './kill-rounds.ts';

testKills({ venues: 1, rounds: 5 });
