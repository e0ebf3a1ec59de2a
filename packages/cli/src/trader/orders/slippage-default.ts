/** The bound of an order at the market that nobody chose; in a file of its own, because help texts load nothing else. */

/** In percent. */
export const SLIPPAGE_PERCENT = '5';
