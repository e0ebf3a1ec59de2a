/** Variables of the maker, except its address and secret. */

import { milliseconds, OWN_KEYS, text } from '../kinds.ts';
import { variable } from '../variable.ts';

export const MAKER = {
  // The maximum stays well below the time after which the venue pulls a silent maker's quotes (MM-4).
  VENUE_MAKER_TICK_MS: variable(milliseconds(50, 10_000), {
    readBy: ['maker'],
    meaning: 'the longest time between two looks at the market',
    default: 250,
  }),
  VENUE_MAKER_KEY: variable(OWN_KEYS, {
    readBy: ['maker'],
    meaning:
      'the keys of the wallets whose quote sets it uses; the first also serves underlyings without a key; `venue up` creates one for each',
    absent: '`VENUE_MAKER_TOKEN`',
    secret: true,
    code: 'QTS-1',
  }),
  VENUE_MAKER_PACE_MS: variable(milliseconds(0, 60_000), {
    readBy: ['maker'],
    meaning: 'the minimum time between two pushes of a symbol unless a quote must be replaced at once',
    absent: '3000 with `VENUE_MAKER_KEY`, 0 without',
  }),
  VENUE_MAKER_SURFACE: variable(text('a file'), {
    readBy: ['maker'],
    meaning: 'the file of volatility surfaces and limits',
    absent: '`packages/maker/surfaces.json`',
  }),
};
