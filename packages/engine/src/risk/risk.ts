/** The answer that every other room asks `risk` for: an account's equity and margin, and whether it is called. */

import type { Micros } from '@venue/protocol';

/** An account's equity and margin. */
export interface Risk {
  /** cash + sum(qty x mark); shorts subtract. */
  readonly equityMicros: Micros;
  /** Entry margin of shorts plus the reserves of resting buys and quote sets. */
  readonly lockedMicros: Micros;
  /** Margin required to keep the shorts; longs and resting orders contribute nothing. */
  readonly maintenanceMarginMicros: Micros;
  /** True while equity is below maintenance margin: the account is reduce-only. */
  readonly isCalled: boolean;
}
