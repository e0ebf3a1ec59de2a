/** How prints, spots and marks travel to the thread of the file, one number per cell. */

/** In order of their codes. */
export const MARKET_EVENTS = ['print', 'spot', 'mark'] as const;

/** Cells of a row, in order. A cell that a kind of event does not use holds `NONE`. */
export const MARKET_CELL = {
  seq: 0,
  event: 1,
  ts: 2,
  /** Sid of a series; of a spot, the index of a text of the batch: its symbol. */
  of: 3,
  price: 4,
  /** Set for prints alone, as are the four cells below. */
  id: 5,
  qty: 6,
  /** 1 where the taker bought, 0 where it sold. */
  buy: 7,
  /** 1 where an account traded with itself. */
  self: 8,
} as const;
export const MARKET_CELLS = 9;

export const MINUTE_MS = 60_000;
