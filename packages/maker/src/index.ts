/** The market maker: Black-Scholes with a smile around every listed series. */

export { type OptionTerms, type Valuation, valueOption } from './black-scholes.ts';
export { loadMakerConfig, type MakerConfig, MakerConfigError } from './config.ts';
export { type RunMakerOptions, runMaker } from './run.ts';
export { type Smile, smileOf, smileVol } from './smile.ts';
