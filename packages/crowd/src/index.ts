/** A crowd of traders with wallets of their own, so that a paper market has trades, open interest and several owners. */

export { loadCrowdConfig } from './config.ts';
export { runCrowd } from './run.ts';
