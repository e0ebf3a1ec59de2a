/** A real exchange process whose processor time and memory are watched. */

import { readFileSync } from 'node:fs';
import { VenueClient } from '@venue/sdk';
import { Launched } from '../../tests/e2e/launched.ts';
import { SECRETS } from './exchange.ts';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;
/** Of the clock in which Linux counts processor time. */
const TICKS_PER_SECOND = 100;

/** Fields of /proc/<pid>/stat behind the name of the command. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

export interface WatchedOptions {
  readonly logPath: string;
  /** `BTC:crypto,…` */
  readonly symbols: string;
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
}

export class WatchedExchange {
  readonly url: string;
  readonly client: VenueClient;
  readonly #launched: Launched;

  private constructor(launched: Launched, url: string) {
    this.#launched = launched;
    this.url = url;
    this.client = new VenueClient({ url });
  }

  /** Starts on a new log; quotes stay however long nobody pushes. */
  static async start({ logPath, symbols, env = {} }: WatchedOptions): Promise<WatchedExchange> {
    const launched = new Launched(['exchange'], {
      env: {
        ...SECRETS,
        VENUE_PORT: '0',
        VENUE_LOG: `sqlite:${logPath}`,
        VENUE_LOG_LEVEL: 'warn',
        VENUE_SYMBOLS: symbols,
        VENUE_QUOTE_TTL_MS: '3600000',
        ...env,
      },
    });
    try {
      const [, url] = await launched.says(/exchange listening on (\S+)/, START_LIMIT_MS);
      return new WatchedExchange(launched, url!);
    } catch (error) {
      launched.end();
      throw error;
    }
  }

  /** Posts prices of the symbols, by which they are listed. */
  async print(prices: ReadonlyMap<string, number>): Promise<void> {
    const prints = Array.from(prices, ([symbol, price]) => ({ symbol, source: 'a', price }));
    await this.client.feed(SECRETS.VENUE_FEED_TOKEN).prints(prints);
  }

  get cpuMs(): number {
    return cpuMsOf(this.#launched.process.pid!);
  }

  get residentBytes(): number {
    return residentBytesOf(this.#launched.process.pid!);
  }

  /** What it wrote is of interest when something went wrong. */
  get output(): string {
    return this.#launched.output;
  }

  /** A clean stop. */
  async stop(): Promise<void> {
    this.#launched.process.kill('SIGTERM');
    await this.#launched.exits(STOP_LIMIT_MS);
  }

  /** For the end: ends it if it still runs. */
  end(): void {
    this.#launched.end();
  }
}

/** Processor time of all threads of a process, or NaN where there is no /proc. */
export function cpuMsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)?.split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * 1_000) / TICKS_PER_SECOND;
}

/** Memory of a process that is in RAM, or NaN where there is no /proc. */
function residentBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]) * 1_024;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
