/** Real processes of an exchange and of its followers, with their processor time and memory monitored. */

import { readFileSync } from 'node:fs';
import type { Series } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { eventually, Launched } from '../../tests/e2e/launched.ts';
import { Connection, SECRETS } from './exchange.ts';

const START_LIMIT_MS = 60_000;
const LISTING_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 10_000;
/** Linux counts processor time in these ticks. */
const TICKS_PER_SECOND = 100;

/** Fields of /proc/<pid>/stat after the command's name. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

export interface WatchedOptions {
  readonly logPath: string;
  /** `BTC:crypto,…` */
  readonly symbols: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process that listens: an exchange, or a follower. */
class WatchedProcess {
  readonly url: string;
  readonly client: VenueClient;
  readonly #launched: Launched;

  protected constructor(launched: Launched, url: string) {
    this.#launched = launched;
    this.url = url;
    this.client = new VenueClient({ url });
  }

  get pid(): number {
    return this.#launched.process.pid!;
  }

  get cpuMs(): number {
    return cpuMsOf(this.pid);
  }

  get residentBytes(): number {
    return residentBytesOf(this.pid);
  }

  /** Its output, for when something went wrong. */
  get output(): string {
    return this.#launched.output;
  }

  /** Stops it cleanly. */
  async stop(): Promise<void> {
    this.#launched.process.kill('SIGTERM');
    await this.#launched.exits(STOP_LIMIT_MS);
  }

  /** Clean-up: kills it if it still runs. */
  end(): void {
    this.#launched.end();
  }
}

/** A follower of a log that an exchange has begun. */
export class WatchedFollower extends WatchedProcess {
  static async start({ logPath, env = {} }: Omit<WatchedOptions, 'symbols'>): Promise<WatchedFollower> {
    const launched = new Launched(['follower'], {
      env: { VENUE_PORT: '0', VENUE_LOG: `sqlite:${logPath}`, VENUE_LOG_LEVEL: 'warn', ...env },
    });
    return listening(launched, 'follower', (url) => new WatchedFollower(launched, url));
  }
}

export class WatchedExchange extends WatchedProcess {
  /** Starts on a new log; quotes do not expire without pushes. */
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
    return listening(launched, 'exchange', (url) => new WatchedExchange(launched, url));
  }

  /** Posts prices of the symbols, which makes the exchange list them. */
  async print(prices: ReadonlyMap<string, number>): Promise<void> {
    const prints = Array.from(prices, ([symbol, price]) => ({ symbol, source: 'a', price }));
    await this.client.feed(SECRETS.VENUE_FEED_TOKEN).prints(prints);
  }

  /** The series of a symbol, as soon as it is listed. */
  listed(symbol: string): Promise<Series[]> {
    return eventually(
      `a listing of ${symbol}`,
      async () => {
        const found = await this.client.market.series(symbol);
        return found.length > 0 && found;
      },
      LISTING_LIMIT_MS,
    );
  }

  /** A maker's connection, with a new quote session. */
  async maker(attemptId: string): Promise<Connection> {
    const { session } = await this.client.maker(SECRETS.VENUE_MAKER_TOKEN).session(attemptId);
    const headers = { 'x-maker-token': SECRETS.VENUE_MAKER_TOKEN, 'x-quote-session': `${session}` };
    return new Connection(this.url, headers);
  }
}

/** Waits until a process listens; one that does not is ended. */
async function listening<T>(launched: Launched, word: string, made: (url: string) => T): Promise<T> {
  try {
    const [, url] = await launched.says(new RegExp(`${word} listening on (\\S+)`), START_LIMIT_MS);
    return made(url!);
  } catch (error) {
    launched.end();
    throw error;
  }
}

/** Processor time of all threads of a process, or NaN without /proc. */
export function cpuMsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)?.split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * 1_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process, or NaN without /proc. */
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
