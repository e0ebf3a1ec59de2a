/** Price feeds: a seeded simulator and the replay of recorded files. */

export { type FeedConfig, FeedConfigError, loadFeedConfig } from './config.ts';
export { type AssetClass, type InstrumentProfile, profileOf } from './instruments.ts';
export { RecordingError } from './recording.ts';
export { type FeedOptions, runFeed } from './run.ts';
export { type SimulationOptions, simulate } from './simulator.ts';
export type { PriceTick, Print } from './tick.ts';
