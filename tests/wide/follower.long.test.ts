/** Followers beside an exchange, as processes that are killed, stopped and lied to (FOL-1 to FOL-5). */

// @seconds 45

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLogReader } from '@venue/log';
import { FEED_TOKEN, type Reply, signIn, type Trader, Venue } from '../../packages/exchange/test/support.ts';
import {
  createDatabase,
  PostgresServer,
  skipWithoutPostgres,
} from '../../packages/log/test/postgres-server.ts';
import { eventually, freePort, Launched } from '../e2e/launched.ts';

const SECRET = 'one secret of nodes and followers';
const SYMBOL = 'BTC';
/** Between two orders, so that the processes under test have the machine. */
const PACE_MS = 10;

/** An exchange and its followers, each at one port for as long as the test runs. */
class Beside {
  readonly #env: Readonly<Record<string, string>>;
  readonly #running = new Map<number, Launched>();
  readonly venue: Venue;
  readonly #port: number;
  /** True once the load is to end. */
  #isOver = false;
  trader!: Trader;
  seriesId!: string;

  constructor(port: number, env: Readonly<Record<string, string>>) {
    this.#port = port;
    this.#env = { VENUE_LOG_LEVEL: 'warn', VENUE_TOKEN_SECRET: SECRET, ...env };
    this.venue = new Venue(`http://127.0.0.1:${port}`);
  }

  /** Starts the exchange, or starts it again. */
  async exchange(more: Readonly<Record<string, string>> = {}): Promise<Launched> {
    const env = {
      ...this.#env,
      VENUE_SYMBOLS: `${SYMBOL}:crypto`,
      VENUE_STRIKES_PER_SIDE: '2',
      VENUE_MAINTENANCE_MS: '200',
      VENUE_FEED_TOKEN: FEED_TOKEN,
      ...more,
    };
    return this.#launch('exchange', this.#port, env);
  }

  async market(): Promise<void> {
    await this.venue.feed([{ symbol: SYMBOL, source: 'a', price: 100_000 }]);
    const listed = await eventually('listings', async () => {
      const { body } = await this.venue.get(`/v1/series?symbol=${SYMBOL}`);
      return body.series.length > 0 && body.series;
    });
    this.seriesId = listed.at(-1).seriesId;
    this.trader = await signIn(this.venue);
    await this.venue.post('/v1/margin', { enabled: true }, this.trader);
  }

  async follower(port: number): Promise<Venue> {
    await this.#launch('follower', port, this.#env);
    return new Venue(`http://127.0.0.1:${port}`);
  }

  at(port: number): Launched {
    return this.#running.get(port)!;
  }

  async kill(port: number): Promise<void> {
    this.at(port).process.kill('SIGKILL');
    await this.at(port).exits();
  }

  async stop(): Promise<void> {
    this.at(this.#port).process.kill('SIGTERM');
    assert.equal(await this.at(this.#port).exits(), 0);
  }

  end(): void {
    this.#isOver = true;
    for (const launched of this.#running.values()) launched.end();
  }

  /** Orders that rest, trade and are cancelled, until told to end. Writes that are lost with their exchange are missed by nobody. */
  load(): () => Promise<void> {
    const trading = (async () => {
      for (let i = 0; !this.#isOver; i += 1) {
        const price = 1 + (i % 7);
        const side = i % 3 === 0 ? 'sell' : 'buy';
        const order = { seriesId: this.seriesId, side, qty: 0.25, price };
        await this.venue.post('/v1/order', order, this.trader).catch(() => sleep(20));
        await sleep(PACE_MS);
        if (i % 40 === 39) await this.venue.post('/v1/cancel', {}, this.trader).catch(() => sleep(20));
      }
    })();
    return async () => {
      this.#isOver = true;
      await trading;
    };
  }

  /**
   * Compares what a follower shows with the exchange, each at one entry. What is read from the history may show more than
   * the entry it names, so that is compared only where nobody trades.
   */
  async compare(follower: Venue, isAtRest = true): Promise<void> {
    const { body } = await this.venue.get(`/v1/series?symbol=${SYMBOL}`);
    const { expiryTs } = body.series.at(-1);
    const paths = [
      `/v1/book?seriesId=${this.seriesId}`,
      `/v1/chain?symbol=${SYMBOL}&expiryTs=${expiryTs}`,
      '/v1/margin',
      ...(isAtRest ? [`/v1/trades?symbol=${SYMBOL}`, '/v1/fills', '/v1/orders'] : []),
    ];
    const seqOf = ({ headers }: Reply) => Number(headers.get('x-venue-seq'));
    for (const path of paths) {
      const [here, there] = await eventually(`${path} at one entry`, async () => {
        const written = { 'x-venue-after': String(seqOf(await this.venue.get('/v1/venue'))) };
        const ask = (one: Venue) => one.get(path, { token: this.trader.token, headers: written });
        const [here, there] = await Promise.all([ask(follower), ask(this.venue)]);
        return seqOf(here!) === seqOf(there!) && here!.status === 200 && [here, there];
      });
      assert.deepEqual(here!.body, there!.body, path);
    }
  }

  async #launch(word: string, port: number, env: Readonly<Record<string, string>>): Promise<Launched> {
    const launched = new Launched([word], { env: { ...env, VENUE_PORT: String(port) } });
    this.#running.set(port, launched);
    await launched.says(new RegExp(`^${word} listening on`, 'm'));
    return launched;
  }
}

async function ports(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await freePort());
  return [...found];
}

describe('followers of a log in a file', () => {
  let folder: string;
  let beside: Beside;
  let path: string;
  const open: Beside[] = [];
  const folders: string[] = [];
  const begin = async (env: Readonly<Record<string, string>> = {}) => {
    folder = mkdtempSync(join(tmpdir(), 'venue-followers-'));
    folders.push(folder);
    path = join(folder, 'venue.db');
    const [port] = await ports(1);
    beside = new Beside(port!, { VENUE_LOG: `sqlite:${path}`, ...env });
    open.push(beside);
    await beside.exchange();
    await beside.market();
  };
  after(() => {
    for (const one of open) one.end();
    for (const one of folders) rmSync(one, { recursive: true, force: true });
  });

  test('FOL-1, FOL-2: followers and exchange are killed, stopped for seconds and started again under load, and all show the same', async () => {
    await begin();
    const [first, second] = await ports(2);
    const one = await beside.follower(first!);
    const end = beside.load();
    const two = await beside.follower(second!);
    await sleep(500);
    await beside.kill(first!);
    await sleep(300);
    await beside.follower(first!);
    await beside.compare(one, false);
    beside.at(second!).process.kill('SIGSTOP');
    await sleep(2_000);
    beside.at(second!).process.kill('SIGCONT');
    await beside.compare(two, false);
    await beside.kill(Number(new URL(beside.venue.url).port));
    // Nobody is there to take an order, and what there is can be read.
    assert.equal((await one.get(`/v1/book?seriesId=${beside.seriesId}`)).status, 200);
    await beside.exchange();
    await sleep(500);
    await end();
    await Promise.all([beside.compare(one), beside.compare(two)]);
    const startedMs = performance.now();
    const { status } = await two.get('/v1/meta', { headers: { 'x-venue-after': '999999999' } });
    assert.equal(status, 500);
    assert.ok(performance.now() - startedMs >= 4_900);
    await beside.stop();
    for (const port of [first!, second!]) {
      beside.at(port).process.kill('SIGTERM');
      assert.equal(await beside.at(port).exits(), 0);
    }
  });

  test('FOL-4: a follower whose entries were archived while it was stopped says so, ends, and starts from a snapshot', async () => {
    await begin({ VENUE_ARCHIVE_MS: '1000' });
    const [port] = await ports(1);
    await beside.follower(port!);
    const stopped = beside.at(port!);
    stopped.process.kill('SIGSTOP');
    const end = beside.load();
    const known = Number((await beside.venue.get('/v1/venue')).headers.get('x-venue-seq'));
    await eventually('its next entry is archived', async () => {
      const reader = await openLogReader(`sqlite:${path}`);
      const { seq } = await reader.chainStart();
      await reader.close();
      return seq > known + 5;
    });
    stopped.process.kill('SIGCONT');
    assert.equal(await stopped.exits(), 1);
    assert.match(
      stopped.output,
      /^venue: entry \d+ was archived before this node had read it; restart the node/m,
    );
    await end();
    await beside.stop();
    // What it missed of the history is in the node's file, of which the how-to has it begin with a copy.
    const own = join(folder, `venue-follower-${port}.db`);
    for (const rest of ['', '-wal', '-shm']) rmSync(own + rest, { force: true });
    const history = new DatabaseSync(join(folder, 'venue-history.db'), { readOnly: true });
    history.prepare('VACUUM INTO ?').run(own);
    history.close();
    await beside.exchange({ VENUE_ARCHIVE_MS: '3600000' });
    const follower = await beside.follower(port!);
    await beside.compare(follower);
    await beside.kill(port!);
    await beside.follower(port!);
    await beside.compare(follower);
    await beside.stop();
    beside.end();
  });

  test('FOL-3: a follower whose log is replaced by an older copy ends with one line, and so does its next start without a log', async () => {
    await begin();
    await beside.stop();
    copyFileSync(path, `${path}.old`);
    await beside.exchange();
    const [port] = await ports(1);
    await beside.follower(port!);
    await beside.venue.post(
      '/v1/order',
      { seriesId: beside.seriesId, side: 'buy', qty: 1, price: 1 },
      beside.trader,
    );
    await beside.stop();
    renameSync(`${path}.old`, path);
    assert.equal(await beside.at(port!).exits(), 1);
    assert.match(beside.at(port!).output, /^venue: .*venue\.db is no longer the file that this node reads/m);
    rmSync(path);
    const next = new Launched(['follower'], {
      env: { VENUE_LOG: `sqlite:${path}`, VENUE_PORT: String(port) },
    });
    assert.equal(await next.exits(), 1);
    assert.match(next.output, /^venue: .* holds no log yet; start the exchange that writes it/m);
  });
});

describe('a follower of a log on PostgreSQL', { skip: skipWithoutPostgres() }, () => {
  let server: PostgresServer;
  const open: Beside[] = [];
  before(async () => {
    server = await PostgresServer.create({ settings: ['fsync = off'] });
    await server.start();
  });
  after(async () => {
    for (const one of open) one.end();
    await server.remove();
  });

  test('FOL-1, FOL-2: it is killed and started again under load, its server restarts, and it shows the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-followers-'));
    const [port, first] = await ports(2);
    const shared = { VENUE_LOG: server.url(await createDatabase(server)), VENUE_LOG_SINGLE: '1' };
    const beside = new Beside(port!, { ...shared, VENUE_HISTORY: join(folder, 'node.db') });
    await beside.exchange();
    await beside.market();
    const followers = new Beside(port!, { ...shared, VENUE_HISTORY: join(folder, 'follower.db') });
    open.push(beside, followers);
    const one = await followers.follower(first!);
    const end = beside.load();
    await sleep(500);
    await followers.kill(first!);
    await followers.follower(first!);
    await beside.compare(one, false);
    await server.kill();
    await server.start();
    await sleep(1_000);
    await end();
    await beside.compare(one);
    followers.end();
    rmSync(folder, { recursive: true });
  });
});
