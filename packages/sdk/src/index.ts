/** The TypeScript client of the venue, for traders and for operators. */

export * from './browser.ts';
export { VenueClient } from './client/client.ts';
export { TraderClient } from './client/trader.ts';
export * from './operators.ts';
export { Nonces } from './sign/nonces.ts';
export * from './spreads.ts';
export type { Stream, StreamHandlers } from './stream/stream.ts';
