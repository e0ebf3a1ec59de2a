/** Runs a feed from its start to its stop: connects a source of ticks to the venue. */

import { ConfigError } from '@venue/config';
import type { InstrumentProfile } from '@venue/protocol/simulation';
import { Backoff, pause, VenueClient } from '@venue/sdk';
import { whileServing } from '@venue/telemetry';
import type { FeedConfig } from './config.ts';
import { FeedMetrics } from './metrics.ts';
import { Poster } from './poster.ts';
import { checkRecording, replay } from './recording.ts';
import { simulate } from './simulator.ts';
import { type Source, sourceFault, takerOf } from './source.ts';
import type { PriceTick } from './tick.ts';
import { symbolsOf, type Upstream } from './upstream/upstreams.ts';

export interface FeedOptions {
  readonly config: FeedConfig;
  /** A recorded file to replay instead of simulating. */
  readonly recording?: { readonly path: string; readonly speed: number };
  /** Upstreams of live prices to use instead of the simulation. */
  readonly live?: readonly Upstream[];
  /**
   * With a seed the market is the same every time, from its own starting prices. Without one it continues from the
   * last spots.
   */
  readonly seed?: number;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
}

/** A late price is soon worthless. */
const BACKOFF = { limitMs: 2_000 };
/** A post must not delay a stop for longer than this. */
const POST_TIMEOUT_MS = 4_000;

/**
 * Posts prices until the signal aborts or a recording ends. Throws `RecordingError` for a faulty recording and
 * `ConfigError` for an upstream that has none of the symbols, or a source that the exchange does not take; waits for an exchange or an upstream that is down.
 * Rejects with `MetricsPortError` if the port for metrics cannot be opened.
 */
export async function runFeed(options: FeedOptions): Promise<void> {
  const { config } = options;
  const client = new VenueClient({ url: config.url, timeoutMs: POST_TIMEOUT_MS });
  const metrics = new FeedMetrics();
  const source = chosenSource(options);
  await whileServing(config.metricsPort, metrics.registry, () =>
    source === null || typeof source === 'string'
      ? runRecordedOrSimulated(options, client, metrics)
      : runLive(options, { client, metrics, upstreams: source }),
  );
}

/** The source that an option of the command names, or else the configuration; null if neither does. */
export function chosenSource({
  config,
  recording,
  live,
  seed,
}: Pick<FeedOptions, 'config' | 'recording' | 'live' | 'seed'>): Source | null {
  if (recording !== undefined) return 'replayed';
  return live ?? (seed === undefined ? config.source : 'simulated');
}

async function runRecordedOrSimulated(
  options: FeedOptions,
  client: VenueClient,
  metrics: FeedMetrics,
): Promise<void> {
  const { config, recording, signal, log } = options;
  // A faulty recording needs no exchange to be refused.
  const rows = recording === undefined ? 0 : await checkRecording(recording.path);
  const taker = await reached(options, () => takerOf(client));
  const fault = taker && sourceFault(chosenSource(options), taker);
  if (fault) throw new ConfigError(fault);
  if (signal.aborted) return;
  const ticks = await ticksOf(options, client, rows);
  if (signal.aborted) return;
  const sink = client.feed(config.feedToken);
  await new Poster({ sink, signal, log, metrics, backoff: BACKOFF }).run(ticks);
  log(signal.aborted ? 'stopped' : 'the recording is at its end');
}

interface LiveParts {
  readonly client: VenueClient;
  readonly metrics: FeedMetrics;
  readonly upstreams: readonly Upstream[];
}

async function runLive(
  { config, signal, log }: FeedOptions,
  { client, metrics, upstreams }: LiveParts,
): Promise<void> {
  checkCovered(config, upstreams, log);
  const sink = client.feed(config.feedToken);
  // Loaded on demand: a simulated feed needs none of the upstreams' client libraries.
  const { openLiveFeed } = await import('./upstream/live.ts');
  const { ticks, report, closed } = openLiveFeed({ config, upstreams, signal, log });
  const keepMs = config.live.ageMaxMs;
  const posting = new Poster({ sink, signal, log, metrics, backoff: BACKOFF, keepMs, report }).run(ticks);
  await Promise.all([posting, closed]);
  log('stopped');
}

function checkCovered(config: FeedConfig, upstreams: readonly Upstream[], log: (line: string) => void): void {
  for (const upstream of upstreams) {
    if (symbolsOf(config, upstream).length === 0)
      throw new ConfigError(`VENUE_SYMBOLS names nothing that --live ${upstream} has prices of`);
  }
  const covered = new Set(upstreams.flatMap((upstream) => symbolsOf(config, upstream)));
  const others = config.instruments.filter(({ symbol }) => !covered.has(symbol));
  if (others.length > 0) log(`not priced by this feed: ${others.map(({ symbol }) => symbol).join(', ')}`);
}

async function ticksOf(
  { config, recording, seed, signal, log }: FeedOptions,
  client: VenueClient,
  rows: number,
): Promise<Iterable<PriceTick> | AsyncIterable<PriceTick>> {
  const { tickMs } = config;
  if (recording !== undefined) {
    log(`replaying ${rows} prices of ${recording.path} at speed ${recording.speed} to ${config.url}`);
    return replay(recording.path, recording);
  }
  const instruments = seed === undefined ? await resume({ config, signal, log }, client) : config.instruments;
  log(`simulating ${instruments.map(({ symbol }) => symbol).join(', ')} for ${config.url}`);
  return simulate({ seed: seed ?? randomSeed(), instruments, tickMs });
}

/** Instruments that start from the venue's last spots, so that a restart of the feed does not make the market jump. */
async function resume(
  options: Pick<FeedOptions, 'config' | 'signal' | 'log'>,
  client: VenueClient,
): Promise<readonly InstrumentProfile[]> {
  const { instruments } = options.config;
  const meta = await reached(options, () => client.market.meta());
  const spots = new Map(meta?.instruments.map(({ symbol, spot }) => [symbol, spot]));
  return instruments.map((profile) => ({
    ...profile,
    startPrice: spots.get(profile.symbol) || profile.startPrice,
  }));
}

/** Asks until the exchange answers; null once the signal aborts. */
async function reached<T>(
  { config: { url }, signal, log }: Pick<FeedOptions, 'config' | 'signal' | 'log'>,
  ask: () => Promise<T>,
): Promise<T | null> {
  const backoff = new Backoff(BACKOFF);
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 0)
        log(`waiting for the exchange at ${url}: ${error instanceof Error ? error.message : error}`);
      await pause(backoff.next(), signal);
    }
  }
  return null;
}

function randomSeed(): number {
  return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
}
