/**
 * Rounds of one kind of read on one server, driven by the load process: saturated for the rate, then at planned times
 * for the latency.
 */

import assert from 'node:assert/strict';
import type { Child } from '../shared/child.ts';
import type { Headers } from '../shared/connection.ts';
import type { LoadOrder, LoadReport } from './load.ts';
import type { Variant } from './market.ts';

/** The path, the headers, and the body in each state of the market. */
export interface Read {
  readonly name: string;
  readonly path: string;
  readonly headers: Headers;
  /** Throws when a body does not match the state. */
  readonly check: (body: string, variant: Variant) => void;
}

export interface Server {
  readonly url: string;
  readonly cpuMs: () => number;
}

/** The results of one server's rounds. */
export interface Measured {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly loadShare: number;
}

interface RoundsOptions {
  readonly server: Server;
  readonly read: Read;
  readonly load: Child;
  readonly connections: number;
  readonly roundMs: number;
  readonly bodies: readonly Buffer[];
  /** Wraps each round, for example with concurrent pushes. */
  readonly during: <T>(load: () => Promise<T>) => Promise<T>;
}

interface Round extends LoadReport {
  readonly serverCpuMs: number;
}

/** One kind of read on one server, measured in rounds. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #all: Round[] = [];
  readonly #timesMs: number[] = [];

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** The median round's rate, and the cost of one read. */
  get measured(): Measured {
    const rates = this.#all.map(({ reads, elapsedMs }) => (reads * 1_000) / elapsedMs).sort((a, b) => a - b);
    const sum = (of: (round: Round) => number) => this.#all.reduce((total, round) => total + of(round), 0);
    return {
      perSecond: rates[rates.length >> 1]!,
      cpuUs: (sum((round) => round.serverCpuMs) * 1_000) / sum(({ reads }) => reads),
      loadShare: sum(({ cpuMs }) => cpuMs) / sum(({ elapsedMs }) => elapsedMs),
    };
  }

  /** A quantile of the read times at half load. */
  timeMs(share: number): number {
    const sorted = this.#timesMs.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)]!;
  }

  /** A round at full speed. */
  async saturate(counts: boolean): Promise<void> {
    const { server } = this.#options;
    const before = server.cpuMs();
    const report = await this.#run(null);
    if (counts) this.#all.push({ ...report, serverCpuMs: server.cpuMs() - before });
  }

  /** A round at a fixed rate, at planned times. */
  async pace(perSecond: number): Promise<void> {
    const { timesMs } = await this.#run(perSecond);
    this.#timesMs.push(...timesMs);
  }

  async #run(perSecond: number | null): Promise<LoadReport> {
    const { server, read, load, connections, roundMs: forMs, bodies, during } = this.#options;
    const { path, headers } = read;
    const order: LoadOrder = { url: server.url, path, headers, connections, forMs, perSecond, bodies };
    const report = await during(() => load.ask<LoadReport>(order));
    assert.equal(report.fault, null);
    return report;
  }
}
