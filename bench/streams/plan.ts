/** What happens in a tick of the streams benchmark, and how a frame tells which tick it is of. */

export const TICK_MS = 250;
/** A frame may come this long after the planned moment of its tick: within the exchange's own tick, and a bit. */
export const FRAME_LIMIT_MS = TICK_MS + 100;
export const SYMBOLS = Array.from({ length: 10 }, (_, i) => `COIN${i}`);
/** A tick has one on each lane; a lane is a connection and a series. */
export const FILLS_A_TICK = 50;
/** Of each lane two accounts take turns. */
export const ACCOUNTS = 2 * FILLS_A_TICK;

const QTY_BASE_MICROS = 10_000;
const SPOT_BASE = 100;
const SPOT_STEP_CENTS = 1;

/** Fills have numbers from 0 on, and each a quantity of its own by which every frame of it is known. */
export function fillOf(tick: number, lane: number): number {
  return tick * FILLS_A_TICK + lane;
}

export function tickOf(fill: number): number {
  return Math.floor(fill / FILLS_A_TICK);
}

export function accountOf(fill: number): number {
  return (fill % FILLS_A_TICK) + FILLS_A_TICK * (tickOf(fill) % 2);
}

/** The fills of an account in order: `i` is 0 for its first. */
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

/** The spot of each symbol in a tick; all of them move every tick. -1 is before the first. */
export function spotOf(symbol: number, tick: number): number {
  return (100 * (SPOT_BASE + symbol) + SPOT_STEP_CENTS * (tick + 1)) / 100;
}

/** The tick whose spot the symbol shows. */
export function tickOfSpot(symbol: number, spot: number): number {
  return Math.round(100 * (spot - SPOT_BASE - symbol)) / SPOT_STEP_CENTS - 1;
}

/** Milliseconds of a clock that all processes of the machine share. */
export function sharedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
