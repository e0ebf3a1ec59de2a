/** The time at which the numbers on the screen were last known to be the venue's newest. */

/** By the clock of `performance.now`; 0 before the first. */
export interface AsOf {
  chainMs: number;
  accountMs: number;
}
