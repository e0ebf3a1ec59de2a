/** The plan of each tick of the streams benchmark, and how to tell a frame's tick from its content. */

export const TICK_MS = 250;
/** Time limit of a frame after its tick's planned time: the exchange's own tick, and a margin. */
export const FRAME_LIMIT_MS = TICK_MS + 100;
export const SYMBOLS = Array.from({ length: 10 }, (_, i) => `COIN${i}`);
/** One per lane in each tick; a lane is a connection and a series. */
export const FILLS_A_TICK = 50;
/** Two accounts alternate on each lane. */
export const ACCOUNTS = 2 * FILLS_A_TICK;

const QTY_BASE_MICROS = 10_000;
const SPOT_BASE = 100;
const SPOT_STEP_CENTS = 1;

/** Fills are numbered from 0, and each has a distinct quantity that identifies its frames. */
export function fillOf(tick: number, lane: number): number {
  return tick * FILLS_A_TICK + lane;
}

export function tickOf(fill: number): number {
  return Math.floor(fill / FILLS_A_TICK);
}

export function accountOf(fill: number): number {
  return (fill % FILLS_A_TICK) + FILLS_A_TICK * (tickOf(fill) % 2);
}

/** The i-th fill of an account, from 0. */
export function fillOfAccount(account: number, i: number): number {
  const tick = 2 * i + Math.floor(account / FILLS_A_TICK);
  return fillOf(tick, account % FILLS_A_TICK);
}

export function qtyMicrosOf(fill: number): number {
  return QTY_BASE_MICROS + fill;
}

export function fillOfQty(qty: number): number {
  return Math.round(qty * 1e6) - QTY_BASE_MICROS;
}

/** The spot of a symbol in a tick; all of them move every tick. -1 is before the first. */
export function spotOf(symbol: number, tick: number): number {
  return (100 * (SPOT_BASE + symbol) + SPOT_STEP_CENTS * (tick + 1)) / 100;
}

/** The tick with this spot of the symbol. */
export function tickOfSpot(symbol: number, spot: number): number {
  return Math.round(100 * (spot - SPOT_BASE - symbol)) / SPOT_STEP_CENTS - 1;
}

/** Milliseconds of a clock shared by all processes on the machine. */
export function sharedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
