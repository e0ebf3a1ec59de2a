/** An account on its way into a margin call, for liquidation scenarios. */

import { micros } from './venue.ts';

export const THOUSAND = { paperCashMicros: micros('1000') };

/** Ten calls of strike 210 sold at 3 with 1000 of cash: 1000 + 30 - 0.15 = 1029.85. */
export const SHORT = `
  quote AAPL-C-210 bid 3x10 ask 3.20x10
  margin alice on
  sell alice AAPL-C-210 10 @ 3             filled 10@3
`;
/** At a spot of 250 and a mark of 81: equity 1029.85 - 810, maintenance 10 x (81 + 30), entry unit 81 + 50. */
export const CALLED = `
  ${SHORT}
  spot AAPL 250
  quote AAPL-C-210 bid 80x20 ask 82x20
  account alice                            cash 1029.85 equity 219.85 maintenance 1110 marginCall yes
`;
export const TICK = `
  wait 5s
  maintain
`;
