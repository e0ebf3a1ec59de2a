/** A whole market in real processes that runs alone for some minutes and is then judged by its records. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freePort, Launched, PATIENCE_MS } from '../e2e/launched.ts';
import type { Tally } from './bot.ts';
import { BotProcess } from './bot-process.ts';
import { type Replay, replayAndCheck } from './replay.ts';
import { type Shown, StreamWatch } from './stream-watch.ts';
import { Watch } from './watch.ts';

export interface SoakOptions {
  readonly durationMs: number;
  readonly bots: number;
  readonly botsPerProcess: number;
  /** The mean time between two cuts of the connections that follow channels. */
  readonly cutEveryMs: number;
  /** Like `VENUE_SYMBOLS`. */
  readonly symbols: string;
  /** Prints lines for a person. */
  readonly say: (line: string) => void;
}

export interface SoakResult {
  readonly watch: Watch;
  readonly tallies: readonly Tally[];
  readonly replay: Replay;
  /** The channels' messages; the replay found them right. */
  readonly shown: Shown;
  /** The maker's output. */
  readonly makerLines: readonly string[];
}

const SEED = 7;
const QUOTES_LIMIT_MS = 60_000;
const SAY_EVERY_MS = 60_000;
const SECRETS = { VENUE_FEED_TOKEN: 'feed-secret', VENUE_MAKER_TOKEN: 'maker-secret' };

/**
 * Starts exchange, feed, maker and bots, watches them, stops them cleanly, replays the log. Ends everything it started.
 */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-soak-'));
  const market = new Market(options, join(folder, 'venue.db'));
  try {
    return await market.run();
  } finally {
    market.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Market {
  readonly #options: SoakOptions;
  readonly #logPath: string;
  readonly #launched = new Map<string, Launched>();
  readonly #bots: BotProcess[] = [];

  constructor(options: SoakOptions, logPath: string) {
    this.#options = options;
    this.#logPath = logPath;
  }

  async run(): Promise<SoakResult> {
    const metricsPort = await freePort();
    const url = await this.#open(metricsPort);
    const { say, durationMs } = this.#options;
    const pids = new Map([...this.#launched].map(([name, { process }]) => [name, process.pid!]));
    // Many starting processes take processor time from the venue, which is not what is measured.
    await this.#startBots(url);
    const watch = new Watch({ url, makerToken: SECRETS.VENUE_MAKER_TOKEN, metricsPort, pids });
    const [symbol] = this.#options.symbols.split(':');
    const stream = await StreamWatch.start({ url, symbol: symbol!, cutEveryMs: this.#options.cutEveryMs });
    say(`${this.#options.bots} bots trade for ${durationMs / 1_000} s`);
    await this.#wait(durationMs, watch);
    const tallies = (await Promise.all(this.#bots.map((bots) => bots.stop(PATIENCE_MS)))).flat();
    await watch.stop();
    const shown = await stream.stop();
    for (const name of ['maker', 'feed', 'exchange']) await this.#stop(name);
    say('everything has stopped; replaying the log');
    const replay = await replayAndCheck(this.#logPath, shown);
    return { watch, tallies, replay, shown, makerLines: this.#launched.get('maker')!.lines };
  }

  /** Ends whatever still runs. */
  end(): void {
    for (const bots of this.#bots) bots.end();
    for (const launched of this.#launched.values()) launched.end();
  }

  async #open(metricsPort: number): Promise<string> {
    const common = { ...SECRETS, VENUE_SYMBOLS: this.#options.symbols, VENUE_LOG_LEVEL: 'warn' };
    const exchange = this.#launch(['exchange'], {
      ...common,
      VENUE_PORT: '0',
      VENUE_LOG: `sqlite:${this.#logPath}`,
      VENUE_REQUIRE_SIGNED_ORDERS: '1',
    });
    const [, url] = await exchange.says(/exchange listening on (\S+)/);
    const client = { ...common, VENUE_URL: url! };
    this.#launch(['feed', '--seed', `${SEED}`], client);
    const maker = this.#launch(['maker'], { ...client, VENUE_MAKER_METRICS_PORT: `${metricsPort}` });
    const [line] = await maker.says(/quotes stand in \d+ series/, QUOTES_LIMIT_MS);
    this.#options.say(line);
    return url!;
  }

  #launch(words: readonly string[], env: Record<string, string>): Launched {
    const launched = new Launched(words, { env });
    this.#launched.set(words[0]!, launched);
    return launched;
  }

  async #startBots(url: string): Promise<void> {
    const { bots, botsPerProcess } = this.#options;
    for (let first = 0; first < bots; first += botsPerProcess) {
      const count = Math.min(botsPerProcess, bots - first);
      this.#bots.push(new BotProcess({ url, firstSeed: SEED * 1_000 + first, count }));
    }
    await Promise.all(this.#bots.map((process) => process.trading));
  }

  async #wait(durationMs: number, watch: Watch): Promise<void> {
    const startedMs = performance.now();
    for (let leftMs = durationMs; leftMs > 0; leftMs = durationMs - (performance.now() - startedMs)) {
      await sleep(Math.min(leftMs, SAY_EVERY_MS));
      for (const [name, { process, output }] of this.#launched) {
        if (process.exitCode !== null) throw new Error(`${name} ended meanwhile:\n${output}`);
      }
      const memory = [...watch.memory].map(
        ([name, samples]) => `${name} ${Math.round((samples.at(-1)?.bytes ?? 0) / 2 ** 20)} MiB`,
      );
      const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
      this.#options.say(
        `${minutes} min: ${watch.counts.books} books read, ${watch.faults.length} faults, ${memory.join(', ')}`,
      );
    }
  }

  async #stop(name: string): Promise<void> {
    const launched = this.#launched.get(name)!;
    launched.process.kill('SIGTERM');
    const code = await launched.exits();
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${launched.output}`);
    await eventually(`${name} has no process left`, () => launched.descendants().size === 0);
  }
}
