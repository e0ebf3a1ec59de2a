/** The market maker: Black-Scholes with a smile around every listed series. */

export { loadMakerConfig, MakerConfigError } from './config.ts';
export { runMaker } from './run.ts';
