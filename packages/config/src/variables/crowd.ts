/** Variables of the crowd, except the address of the exchange, and of `venue up`. */

import { integer, milliseconds, PRIVATE_KEY } from '../kinds.ts';
import { variable } from '../variable.ts';

export const CROWD = {
  VENUE_UP_MAKERS: variable(integer(1, 2), {
    readBy: ['up'],
    meaning: 'the number of makers that `venue up` runs',
    default: 2,
  }),
  VENUE_CROWD_KEY: variable(PRIVATE_KEY, {
    neededBy: ['crowd'],
    meaning: "the key from which its traders' wallets are derived; `venue up` creates one",
    secret: true,
  }),
  VENUE_CROWD_TRADERS: variable(integer(0, 1_000), {
    readBy: ['crowd', 'up'],
    meaning: 'the number of traders; 0 for no crowd',
    default: 24,
  }),
  VENUE_CROWD_PACE_MS: variable(milliseconds(50, 3_600_000), {
    readBy: ['crowd'],
    meaning: 'the mean time between two actions of the crowd',
    default: 2_000,
  }),
  VENUE_CROWD_SEED: variable(integer(0, 0xffff_ffff), {
    readBy: ['crowd'],
    meaning: 'the seed of their decisions',
    absent: 'random',
  }),
};
