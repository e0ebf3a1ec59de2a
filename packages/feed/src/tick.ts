/** The output of every price source: simulated, replayed or live. */

/** One price of one source; `price` is a decimal that is exact in micros (NUM-2). */
export interface Print {
  readonly symbol: string;
  readonly source: string;
  readonly price: number;
}

/** The prints of one moment. */
export interface PriceTick {
  /** Milliseconds since the start of the simulation or recording. */
  readonly atMs: number;
  readonly prints: readonly Print[];
}
