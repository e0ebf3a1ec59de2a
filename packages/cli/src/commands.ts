/** What each word of the command does. */

import { runExchange } from '@venue/exchange';
import { loadFeedConfig, runFeed, type Upstream } from '@venue/feed';
import { loadMakerConfig, runMaker } from '@venue/maker';
import { environment } from './config.ts';
import { stopSignal, stopWithParent } from './stop-signal.ts';
import { up } from './up.ts';

/** Exchange, feed and maker together. */
export async function runUpCommand(): Promise<void> {
  process.exitCode = await up(environment());
}

/** The exchange alone. */
export async function runExchangeCommand(): Promise<void> {
  stopWithParent();
  await runExchange();
}

export interface FeedCommandOptions {
  readonly replay?: string;
  readonly live?: readonly Upstream[];
  readonly speed: number;
  readonly seed?: number;
}

/** A price feed, until it is told to stop or its recording ends. */
export async function runFeedCommand({ replay, live, speed, seed }: FeedCommandOptions): Promise<void> {
  stopWithParent();
  await runFeed({
    config: loadFeedConfig(environment()),
    signal: stopSignal(),
    log: console.log,
    ...(replay === undefined ? {} : { recording: { path: replay, speed } }),
    ...(live === undefined ? {} : { live: [...new Set(live)] }),
    ...(seed === undefined ? {} : { seed }),
  });
}

/** The market maker, until it is told to stop. */
export async function runMakerCommand(): Promise<void> {
  stopWithParent();
  await runMaker({ config: loadMakerConfig(environment()), signal: stopSignal(), log: console.log });
}
