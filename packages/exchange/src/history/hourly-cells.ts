/** How samples of the hour travel to the thread of the file, one number per cell (HIS-4). */

/** In order of their codes. */
export const HOURLY_KINDS = ['iv', 'volatility', 'equity'] as const;
export type HourlyKind = (typeof HOURLY_KINDS)[number];

/** Cells of a row, in order. */
export const HOURLY_CELL = {
  seq: 0,
  kind: 1,
  /** Hours since the Unix epoch. */
  t: 2,
  /** For equity the account's index; for the other kinds the index of the symbol among the texts of the batch. */
  of: 3,
  /** The expiry of an implied volatility, in Unix seconds; `NONE` for the other kinds. */
  expiryTs: 4,
  value: 5,
} as const;
export const HOURLY_CELLS = 6;

/** Volatilities are kept in millionths, as amounts are. */
export const VALUE_UNIT = 1_000_000;
