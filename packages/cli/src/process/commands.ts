/** Runs each subcommand; each loads only its own part, so that no start waits for the others. */

import { type Environment, type Reader, warnings } from '@venue/config';
import type { Upstream } from '@venue/feed';
import { showFindings } from '../base/check.ts';
import { environment } from '../base/config.ts';
import { stopSignal, stopWithParent } from '../base/stop-signal.ts';
import { say } from '../terminal/output.ts';
import { CHECKS } from './process-checks.ts';

/** Exchange, feed and maker together. */
export async function runUpCommand(): Promise<void> {
  const { up } = await import('./up.ts');
  warn('exchange', environment());
  process.exitCode = await up(environment());
}

export interface ProcessOptions {
  /** Check only, and do not start. */
  readonly check?: true;
}

/** The exchange alone. */
export async function runExchangeCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.exchange(environment()));
  const { runExchange } = await import('@venue/exchange');
  const { withMadeTerminal } = await import('./web-terminal.ts');
  const env = withMadeTerminal(environment());
  stopWithParent();
  warn('exchange', env);
  const { copyToArchive } = await import('../auditor/archiver.ts');
  await runExchange(env, { copyToArchive });
}

/** A follower of the log. */
export async function runFollowerCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.follower(environment()));
  const { runFollower } = await import('@venue/exchange');
  const { withMadeTerminal } = await import('./web-terminal.ts');
  const env = withMadeTerminal(environment());
  stopWithParent();
  warn('follower', env);
  await runFollower(env);
}

export interface FeedCommandOptions extends ProcessOptions {
  readonly replay?: string;
  readonly live?: readonly Upstream[];
  readonly speed: number;
  readonly seed?: number;
}

/** A price feed, until it is stopped or its recording ends. */
export async function runFeedCommand({
  check,
  replay,
  live,
  speed,
  seed,
}: FeedCommandOptions): Promise<void> {
  const named = {
    ...(replay === undefined ? {} : { recording: { path: replay, speed } }),
    ...(live === undefined ? {} : { live: [...new Set(live)] }),
    ...(seed === undefined ? {} : { seed }),
  };
  if (check) return showFindings(await CHECKS.feed(environment(), named));
  const { loadFeedConfig, runFeed } = await import('@venue/feed');
  stopWithParent();
  warn('feed', environment());
  const config = loadFeedConfig(environment());
  await runFeed({ config, signal: stopSignal(), log: console.log, ...named });
}

/** The market maker, until it is stopped. */
export async function runMakerCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.maker(environment()));
  const { loadMakerConfig, runMaker } = await import('@venue/maker');
  stopWithParent();
  warn('maker', environment());
  await runMaker({ config: loadMakerConfig(environment()), signal: stopSignal(), log: console.log });
}

/** The crowd of a paper market, until it is stopped. */
export async function runCrowdCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.crowd(environment()));
  const { loadCrowdConfig, runCrowd } = await import('@venue/crowd');
  stopWithParent();
  warn('crowd', environment());
  await runCrowd({ config: loadCrowdConfig(environment()), signal: stopSignal(), log: console.log });
}

function warn(process: Reader, env: Environment): void {
  for (const line of warnings(process, env)) say(`venue: ${line}`);
}
