/** What each word of the command does; each loads its own part alone, so that no start waits for the others. */

import type { Upstream } from '@venue/feed';
import { environment } from './config.ts';
import { stopSignal, stopWithParent } from './stop-signal.ts';

/** Exchange, feed and maker together. */
export async function runUpCommand(): Promise<void> {
  const { up } = await import('./up.ts');
  process.exitCode = await up(environment());
}

/** The exchange alone. */
export async function runExchangeCommand(): Promise<void> {
  stopWithParent();
  const { runExchange } = await import('@venue/exchange');
  const { withMadeTerminal } = await import('./web-terminal.ts');
  await runExchange(withMadeTerminal(environment()));
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
  const { loadFeedConfig, runFeed } = await import('@venue/feed');
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
  const { loadMakerConfig, runMaker } = await import('@venue/maker');
  await runMaker({ config: loadMakerConfig(environment()), signal: stopSignal(), log: console.log });
}
