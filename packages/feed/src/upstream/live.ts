/** Live prices: upstreams fill a board, and ticks empty it. */

import { pause } from '@venue/sdk';
import type { FeedConfig } from '../config.ts';
import type { PriceTick } from '../tick.ts';
import { PriceBoard } from './board.ts';
import { keepConnected } from './connection.ts';
import { cryptoListener } from './crypto.ts';
import { pythListener } from './pyth.ts';
import { symbolsOf, type Upstream } from './upstreams.ts';

export interface LiveOptions {
  readonly config: FeedConfig;
  readonly upstreams: readonly Upstream[];
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface LiveFeed {
  readonly ticks: AsyncIterable<PriceTick>;
  /** Dropped prices and silent channels since the last call, as text. */
  report(): string;
  /** Resolves once the signal has aborted and every socket is closed. */
  readonly closed: Promise<void>;
}

/** Connects to the upstreams and keeps running until the signal aborts. */
export function openLiveFeed(options: LiveOptions): LiveFeed {
  const { config, signal } = options;
  const board = new PriceBoard(config.live);
  const connections = options.upstreams.map((upstream) => run(upstream, board, options));
  return {
    ticks: ticksOf(board, config.tickMs, signal),
    report: () => board.report(),
    closed: Promise.all(connections).then(() => {}),
  };
}

async function run(upstream: Upstream, board: PriceBoard, options: LiveOptions): Promise<void> {
  const { config, signal, log } = options;
  const { silenceMs } = config.live;
  const symbols = symbolsOf(config, upstream);
  const url = upstream === 'crypto' ? config.live.cryptoUrl : config.live.pythUrl;
  // A path or a query may hold a key.
  log(`${upstream}: ${symbols.join(', ')} from ${new URL(url).host} for ${config.url}`);
  const listen =
    upstream === 'crypto'
      ? cryptoListener({ url, pairs: pairsOf(config, symbols), board })
      : pythListener({ url, token: config.live.pythToken, symbols, ids: config.live.pythIds, board, log });
  await keepConnected({ name: upstream, listen, silenceMs, signal, log });
}

function pairsOf({ live }: FeedConfig, symbols: readonly string[]): Map<string, string> {
  return new Map(symbols.map((symbol) => [symbol, live.cryptoPairs.get(symbol) ?? `${symbol}/USD`]));
}

async function* ticksOf(board: PriceBoard, tickMs: number, signal: AbortSignal): AsyncGenerator<PriceTick> {
  const startedMs = performance.now();
  while (!signal.aborted) {
    await pause(tickMs, signal);
    yield { atMs: performance.now() - startedMs, prints: board.take() };
  }
}
