/** Variables of the maker, except its address and secret. */

import { milliseconds, text } from '../kinds.ts';
import { variable } from '../variable.ts';

export const MAKER = {
  // The maximum stays well below the time after which the venue pulls a silent maker's quotes (MM-4).
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
