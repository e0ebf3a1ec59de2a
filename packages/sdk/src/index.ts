/** The TypeScript client of the venue, for traders and for operators. */

export * from './browser.ts';
export { VenueClient } from './client.ts';
export { Nonces } from './nonces.ts';
export * from './operators.ts';
export * from './spreads.ts';
export type { Stream, StreamHandlers } from './stream.ts';
export { TraderClient } from './trader.ts';
