/** Price feeds: a seeded simulator and the replay of recorded files. */

export { FeedConfigError, loadFeedConfig } from './config.ts';
export { RecordingError } from './recording.ts';
export { runFeed } from './run.ts';
