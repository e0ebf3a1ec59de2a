/** Simulated underlyings: their character, and randomness that a seed fixes. */

export { type AssetClass, type InstrumentProfile, profileOf } from './instruments.ts';
export { Random } from './random.ts';
