/** kill -9 under load, again and again. */

// @seconds 80

import { testKills } from './kill-rounds.ts';

testKills({ venues: 2, rounds: 20 });
