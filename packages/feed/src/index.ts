/** Price feeds: a seeded simulator, the replay of recorded files, and live upstreams. */

export { loadFeedConfig } from './config.ts';
export { RecordingError } from './recording.ts';
export { chosenSource, type FeedOptions, runFeed } from './run.ts';
export { checkSource } from './source.ts';
export { UPSTREAMS, type Upstream } from './upstream/upstreams.ts';
