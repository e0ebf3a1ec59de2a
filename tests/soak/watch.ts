/** Monitors a running market from outside: books, the maker's exposure, the venue's response time, memory. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { VenueClient, VenueError } from '@venue/sdk';

export interface WatchOptions {
  readonly url: string;
  readonly makerToken: string;
  readonly metricsPort: number;
  /** Processes whose memory is read, by name. */
  readonly pids: ReadonlyMap<string, number>;
}

export interface MemorySample {
  readonly atMs: number;
  readonly bytes: number;
}

const BOOK_EVERY_MS = 10;
const CHAIN_EVERY_MS = 500;
const HEALTH_EVERY_MS = 50;
const MAKER_EVERY_MS = 1_000;
const MEMORY_EVERY_MS = 2_000;
const NOT_FOUND = 404;

export class Watch {
  /** Crossed books, and failed reads. */
  readonly faults: string[] = [];
  readonly counts = { books: 0, passes: 0, chains: 0 };
  readonly healthMs: number[] = [];
  readonly memory = new Map<string, MemorySample[]>();
  exposureMaxUsd = 0;
  houseLineUsd = 0;
  /** The maker's last metrics, by name with labels; empty before the first. */
  metrics: ReadonlyMap<string, number> = new Map();
  readonly #options: WatchOptions;
  readonly #client: VenueClient;
  readonly #startedMs = performance.now();
  readonly #loops: readonly Promise<void>[];
  #stopped = false;
  #books: AsyncGenerator<string>;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#client = new VenueClient({ url: options.url });
    this.#books = this.#everySeries();
    this.#loops = [
      this.#every(BOOK_EVERY_MS, () => this.#lookAtBook()),
      this.#every(CHAIN_EVERY_MS, () => this.#lookAtChain()),
      this.#every(HEALTH_EVERY_MS, () => this.#timeHealth()),
      this.#every(MAKER_EVERY_MS, () => this.#lookAtMaker()),
      this.#every(MEMORY_EVERY_MS, () => this.#readMemory()),
    ];
  }

  /** Stops monitoring. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #every(ms: number, look: () => unknown): Promise<void> {
    while (!this.#stopped) {
      try {
        await look();
      } catch (error) {
        this.faults.push(String(error));
      }
      await sleep(ms);
    }
  }

  async *#everySeries(): AsyncGenerator<string> {
    for (;;) {
      const { instruments } = await this.#client.market.meta();
      for (const { symbol } of instruments) {
        for (const { seriesId } of await this.#client.market.series(symbol)) yield seriesId;
      }
      this.counts.passes += 1;
    }
  }

  async #lookAtBook(): Promise<void> {
    const { value: seriesId } = await this.#books.next();
    try {
      const { bids, asks } = await this.#client.market.book(seriesId);
      this.#check(seriesId, bids[0]?.price, asks[0]?.price);
      this.counts.books += 1;
    } catch (error) {
      // It may have expired since it was listed.
      if (!(error instanceof VenueError) || error.status !== NOT_FOUND) throw error;
    }
  }

  async #lookAtChain(): Promise<void> {
    const { instruments } = await this.#client.market.meta();
    const { symbol } = instruments[this.counts.chains % instruments.length]!;
    const series = await this.#client.market.series(symbol);
    const expiries = [...new Set(series.map(({ expiryTs }) => expiryTs))];
    const expiryTs = expiries[Math.floor(this.counts.chains / instruments.length) % expiries.length]!;
    const { rows } = await this.#client.market.chain(symbol, expiryTs);
    for (const leg of rows.flatMap(({ call, put }) => [call, put])) {
      if (leg !== null) this.#check(leg.seriesId, leg.bid?.price, leg.ask?.price);
    }
    this.counts.chains += 1;
  }

  #check(seriesId: string, bid: number | undefined, ask: number | undefined): void {
    if (bid !== undefined && ask !== undefined && bid >= ask)
      this.faults.push(`${seriesId} is crossed: ${bid} bid, ${ask} asked`);
  }

  /** A trivial request waits for whatever blocks the event loop. */
  async #timeHealth(): Promise<void> {
    const sentMs = performance.now();
    await this.#client.market.health();
    this.healthMs.push(performance.now() - sentMs);
  }

  async #lookAtMaker(): Promise<void> {
    const { makerToken, metricsPort } = this.#options;
    const { exposure, houseLine } = await this.#client.maker(makerToken).account();
    this.houseLineUsd = houseLine;
    this.exposureMaxUsd = Math.max(this.exposureMaxUsd, exposure);
    if (exposure > houseLine) this.faults.push(`the maker's exposure ${exposure} is past ${houseLine}`);
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.metrics = new Map(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
  }

  #readMemory(): void {
    const atMs = performance.now() - this.#startedMs;
    for (const [name, pid] of this.#options.pids) {
      const samples = this.memory.get(name) ?? [];
      this.memory.set(name, samples);
      samples.push({ atMs, bytes: residentBytes(pid) });
    }
  }
}

/** Resident memory of a process, as Linux counts it. */
function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kib === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kib) * 1_024;
}
