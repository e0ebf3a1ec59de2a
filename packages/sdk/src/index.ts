/** The TypeScript client of the venue: what traders need, and what those who run a venue do. */

export * from './browser.ts';
export { VenueClient } from './client.ts';
export { Nonces } from './nonces.ts';
export * from './operators.ts';
export type { Stream, StreamHandlers } from './stream.ts';
export { TraderClient } from './trader.ts';
