/** A push that takes several entries, with other requests in between (OWN-62). */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Log, MemoryStore, openMemoryLog } from '@venue/log';
import {
  type Json,
  type LocalVenue,
  MAKER_TOKEN,
  pricedVenue,
  startVenue,
  type Venue,
} from '../../../test/support.ts';

const ROWS = 150;
const LEVELS = 64;
/** Rows of 64 levels that fit into one entry. */
const SLICE_ROWS = 63;
const ENTRIES = 3;

const bidsAt = (price: number) => Array.from({ length: LEVELS }, (_, k) => [price - k / 1_000, 0.001]);
/** A row for each of the first series, with 64 bids, the best at 10. */
const ROWS_AT_10 = Array.from({ length: ROWS }, (_, sid) => [sid, bidsAt(10), []]);

const maker = (session?: number) => ({
  headers: {
    'x-maker-token': MAKER_TOKEN,
    ...(session !== undefined && { 'x-quote-session': `${session}` }),
  },
});

/** A log that holds back one entry of quotes. */
class HoldingLog {
  readonly log: Log;
  #left = Number.POSITIVE_INFINITY;
  #held = Promise.withResolvers<void>();
  #goOn = Promise.withResolvers<void>();

  constructor(log: Log) {
    const append = log.append.bind(log);
    this.log = log;
    log.append = async (items) => {
      if (items[0]!.kind === 'quotes' && --this.#left < 0) {
        this.#held.resolve();
        await this.#goOn.promise;
      }
      return append(items);
    };
  }

  /** Resolves once the next entry of quotes has passed and the one after it is held back. */
  holdSecond(): Promise<void> {
    this.#left = 1;
    this.#held = Promise.withResolvers();
    this.#goOn = Promise.withResolvers();
    return this.#held.promise;
  }

  release(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#goOn.resolve();
  }
}

describe('a push in several entries (OWN-62)', () => {
  const store = new MemoryStore();
  let holding: HoldingLog;
  let venue: LocalVenue;
  let session: number;
  let seriesIds: string[];
  before(async () => {
    holding = new HoldingLog(await openMemoryLog({ store }));
    venue = await pricedVenue({}, { store, log: holding.log });
    const { body } = await venue.get('/v1/series?symbol=BTC');
    seriesIds = body.series.map(({ seriesId }: Json) => seriesId);
  });
  beforeEach(async () => {
    session = await register();
  });
  after(() => venue.exchange.stop());

  /** Opens a new session, which clears the books. */
  const register = async (): Promise<number> =>
    (await venue.post('/v1/maker/session', { attemptId: crypto.randomUUID() }, maker())).body.session;
  const push = (rows: readonly unknown[]) => venue.post('/v1/maker/quotes', { rows }, maker(session));
  const entries = () => store.entries.filter(({ kind }) => kind === 'quotes').length;
  /** The best bids of the push's first and last series. */
  const ends = (of: Venue = venue): Promise<unknown[]> =>
    Promise.all(
      [0, ROWS - 1].map(async (sid) => {
        const { body } = await of.get(`/v1/book?seriesId=${seriesIds[sid]}`);
        return body.bids[0]?.price ?? null;
      }),
    );
  /** Sends the push and resolves, with its pending answer, once its first rows stand and the rest is held back. */
  const pushHalf = async () => {
    const held = holding.holdSecond();
    const answer = push(ROWS_AT_10);
    await held;
    assert.deepEqual(await ends(), [10, null]);
    return { answer };
  };

  it('is answered as one, with rows numbered over the whole of it', async () => {
    const before = entries();
    const unknown = [99_999, -7, 99_999].map((sid) => [sid, [], []]);
    const crossed = [[1, [[1, 1]], [[1, 1]]], [149, null, [[5, 1]]]]; // biome-ignore format: one row a line
    const { status, body } = await push([
      ...unknown,
      crossed[0],
      ...ROWS_AT_10,
      crossed[1],
      'x',
      ROWS_AT_10[7],
    ]);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      applied: ROWS,
      kept: 1,
      errors: 3,
      rowErrors: [
        { i: 3, error: 'crossed ladder' },
        { i: 154, error: 'crossed ladder' },
        { i: 155, error: 'malformed row' },
      ],
      unknownSids: [99_999, -7],
    });
    assert.equal(entries() - before, ENTRIES);
    assert.deepEqual(await ends(), [10, 10]);
  });

  it('ends with 409 if another session intervenes, and leaves nothing on the books (MM-1)', async () => {
    const { answer } = await pushHalf();
    const newer = await register();
    holding.release();
    const { status, body } = await answer;
    assert.deepEqual([status, body], [409, { error: 'no live quote session' }]);
    assert.deepEqual(await ends(), [null, null]);
    session = newer;
    assert.equal((await push(ROWS_AT_10)).body.applied, ROWS);
  });

  it('is in the log entirely before a later pull (MM-2)', async () => {
    const { answer } = await pushHalf();
    const pulled = venue.post('/v1/maker/pull', {}, maker(session));
    await venue.get('/healthz');
    holding.release();
    assert.equal((await answer).body.applied, ROWS);
    assert.equal((await pulled).body.pulled, ROWS * LEVELS);
    assert.deepEqual(await ends(), [null, null]);
  });

  it('is in the log entirely before a later push', async () => {
    const { answer } = await pushHalf();
    const later = push([[ROWS - 1, bidsAt(20), []]]);
    await venue.get('/healthz');
    holding.release();
    assert.deepEqual([(await answer).body.applied, (await later).body.applied], [ROWS, 1]);
    assert.deepEqual(await ends(), [10, 20]);
  });

  it('keeps the part before a full log, even after a crash; sent again, it does the rest', async () => {
    const { answer } = await pushHalf();
    store.hasRoom = false;
    holding.release();
    assert.equal((await answer).status, 500);
    store.hasRoom = true;
    const left = new MemoryStore();
    left.entries.push(...store.entries);
    left.batches.push(...store.batches);
    for (const [name, value] of store.stamp) left.stamp.set(name, value);
    const crashed = await startVenue({}, { store: left });
    assert.deepEqual(await ends(crashed), [10, null]);
    await crashed.exchange.stop();
    const { body } = await push(ROWS_AT_10);
    assert.deepEqual([body.applied, body.kept], [ROWS - SLICE_ROWS, SLICE_ROWS]);
  });

  it('is completed by a node that stops', async () => {
    const { answer } = await pushHalf();
    const before = entries();
    const stopped = venue.exchange.stop();
    holding.release();
    assert.equal((await answer).body.applied, ROWS);
    await stopped;
    assert.equal(entries() - before, ENTRIES - 1);
  });
});
