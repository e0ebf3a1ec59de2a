/** Variables of the maker, besides the address and its secret. */

import { milliseconds, text } from '../kinds.ts';
import { variable } from '../variable.ts';

export const MAKER = {
  // Its end is well inside the time after which the venue pulls the quotes of a silent maker (MM-4).
  VENUE_MAKER_TICK_MS: variable(milliseconds(50, 10_000), {
    readBy: ['maker'],
    meaning: 'the longest time between two looks at the market',
    default: 250,
  }),
  VENUE_MAKER_SURFACE: variable(text('a file'), {
    readBy: ['maker'],
    meaning: 'the file of volatility surfaces and limits',
    absent: '`packages/maker/surfaces.json`',
  }),
};
