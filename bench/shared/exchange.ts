/** A real exchange process with one fully listed symbol, and its market maker's side. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import {
  type CompactQuote,
  decodeQuotesAnswer,
  encodeQuotes,
  type MicrosLevel,
  type MicrosQuote,
  QUOTES_CONTENT_TYPE,
  type QuotesAnswer,
  type Series,
} from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { eventually, Launched } from '../../tests/e2e/launched.ts';

/** A full symbol: 16 expiries with 41 strikes. */
export const SERIES = 1_312;
/** More than the default, as most days have only 14 or 15 expiries. */
const STRIKES_PER_SIDE = 23;
const SPOT = 60_000;
const STOP_LIMIT_MS = 10_000;

export const SECRETS = { VENUE_FEED_TOKEN: 'feed-secret', VENUE_MAKER_TOKEN: 'maker-secret' };
const SYMBOLS = { VENUE_SYMBOLS: 'BTC:crypto' };

/** Runs something with a folder for logs, inside the working folder because a temporary one may not be on a disk. */
export async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  mkdirSync('data', { recursive: true });
  const folder = mkdtempSync(join('data', 'bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export class Exchange {
  readonly url: string;
  readonly client: VenueClient;
  readonly logPath: string;
  /** Time from launch to first answer. */
  readonly startMs: number;
  readonly #launched: Launched;
  readonly #clients: Launched[] = [];

  private constructor(launched: Launched, url: string, logPath: string, startMs: number) {
    this.#launched = launched;
    this.url = url;
    this.client = new VenueClient({ url });
    this.logPath = logPath;
    this.startMs = startMs;
  }

  /** Starts on a new or existing log, with additional environment variables; `release` is another checkout's folder. */
  static async start(
    logPath: string,
    more: Readonly<Record<string, string>> = {},
    release?: string,
  ): Promise<Exchange> {
    const env = {
      ...more,
      ...SECRETS,
      ...SYMBOLS,
      VENUE_PORT: '0',
      VENUE_LOG: `sqlite:${resolve(logPath)}`,
      VENUE_LOG_LEVEL: 'warn',
      VENUE_STRIKES_PER_SIDE: `${STRIKES_PER_SIDE}`,
    };
    const startedMs = performance.now();
    const launched = new Launched(['exchange'], { env, release });
    try {
      const [, url] = await launched.says(/exchange listening on (\S+)/, 240_000);
      await new VenueClient({ url: url! }).market.health();
      return new Exchange(launched, url!, logPath, performance.now() - startedMs);
    } catch (error) {
      launched.end();
      throw error;
    }
  }

  get pid(): number {
    return this.#launched.process.pid!;
  }

  /** Launches a client of it, `feed` or `maker`. */
  launch(...words: string[]): Launched {
    const launched = new Launched(words, { env: { ...SECRETS, ...SYMBOLS, VENUE_URL: this.url } });
    this.#clients.push(launched);
    return launched;
  }

  /** Posts a price and returns the first 1,312 series listed. */
  async list(): Promise<Series[]> {
    const prints = ['a', 'b'].map((source) => ({ symbol: 'BTC', source, price: SPOT }));
    await this.client.feed(SECRETS.VENUE_FEED_TOKEN).prints(prints);
    const all = await this.series();
    return all.slice(0, SERIES);
  }

  /** All series, as soon as there are any. */
  series(): Promise<Series[]> {
    return eventually(
      'a full symbol',
      async () => {
        const found = await this.client.market.series('BTC');
        return found.length >= SERIES && found;
      },
      20_000,
    );
  }

  /** A new maker with a new quote session. */
  async maker(): Promise<MakerHeaders> {
    const writes = this.client.maker(SECRETS.VENUE_MAKER_TOKEN);
    const { session } = await writes.session(crypto.randomUUID());
    return { 'x-maker-token': SECRETS.VENUE_MAKER_TOKEN, 'x-quote-session': `${session}` };
  }

  /** Kills it and its clients without warning, as in a crash. */
  async kill(): Promise<void> {
    for (const launched of [...this.#clients, this.#launched]) {
      launched.process.kill('SIGKILL');
      await launched.exits(STOP_LIMIT_MS);
    }
  }

  /** Stops it cleanly, which leaves a snapshot. */
  async stop(): Promise<void> {
    this.#launched.process.kill('SIGTERM');
    await this.#launched.exits(STOP_LIMIT_MS);
  }

  /** Clean-up: kills whatever still runs. */
  end(): void {
    for (const launched of [...this.#clients, this.#launched]) launched.end();
  }
}

export type MakerHeaders = Readonly<Record<'x-maker-token' | 'x-quote-session', string>>;
export type Form = 'compact' | 'verbose' | 'binary';

/** A row of a push with its series id, which the verbose form needs. */
export interface Row extends MicrosQuote {
  readonly seriesId: string;
  readonly bids: readonly MicrosLevel[];
  readonly asks: readonly MicrosLevel[];
}

const LEVELS = 3;

/** Three levels per side, like the maker; variants less than 25 apart share no price. */
export function rowsOf(series: readonly Series[], variant: number): Row[] {
  return series.map(({ sid, seriesId }, i) => {
    const mid = 20_000_000 + (i % 400) * 1_000_000 + variant * 10_000;
    const side = (sign: number): MicrosLevel[] =>
      Array.from({ length: LEVELS }, (_, k) => [mid + sign * (k + 1) * 250_000, 20_000 * 2 ** k]);
    const annotations = { iv: 0.5 + (variant + i) / 10_000, delta: (variant + i) / 10_000 };
    return { sid, seriesId, bids: side(-1), asks: side(1), ...annotations };
  });
}

/** A push in wire format. */
export interface Push {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A push of rows in one of the three forms. */
export function pushOf(form: Form, rows: readonly Row[]): Push {
  if (form === 'binary') return { contentType: QUOTES_CONTENT_TYPE, body: encodeQuotes(rows) };
  const json =
    form === 'compact'
      ? { rows: rows.map(compactOf) }
      : {
          quotes: rows.map(({ seriesId, bids, asks, iv, delta }) => ({
            ...{ seriesId, bids: decimals(bids), asks: decimals(asks), iv, delta },
          })),
        };
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(json)) };
}

function compactOf({ sid, bids, asks, iv = 0, delta = 0 }: Row): CompactQuote {
  return [sid, decimals(bids), decimals(asks), iv, delta];
}

function decimals(levels: readonly MicrosLevel[]): [number, number][] {
  return levels.map(([price, qty]) => [price / 1e6, qty / 1e6]);
}

/** A keep-alive connection with one request at a time. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  /** `headers` are those of every push. */
  constructor(url: string, headers: Readonly<Record<string, string>>, path = '/v1/maker/quotes') {
    this.#url = new URL(path, url);
    this.#headers = headers;
  }

  /** Sends a push, with headers of its own besides, and reads its whole answer. */
  async push({ contentType, body }: Push, own: Readonly<Record<string, string>> = {}): Promise<QuotesAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const headers = { ...this.#headers, ...own, 'content-type': contentType, 'content-length': body.length };
    const call = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${response.statusCode}: ${bytes}`));
      });
    });
    call.on('error', reject);
    call.end(body);
    const bytes = await promise;
    return contentType === QUOTES_CONTENT_TYPE ? decodeQuotesAnswer(bytes) : JSON.parse(bytes.toString());
  }

  close(): void {
    this.#agent.destroy();
  }
}
