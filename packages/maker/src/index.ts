/** The market maker: Black-76 on a volatility surface without arbitrage, around every listed series. */

export { loadMakerConfig, WIDE_SURFACE_PATH } from './config.ts';
export { runMaker } from './run.ts';
