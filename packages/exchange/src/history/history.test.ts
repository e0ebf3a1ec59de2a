// @process exchange-history
// @seconds 6

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { toMicros } from '@venue/protocol';
import { holdWaits } from '../../test/held-waits.ts';
import { ALL, assertAddsUp, assertSeedAddsUp, fresh } from '../../test/history-sums.ts';
import { openFile, Traded, traders } from '../../test/movements.ts';
import { fillView, storedFillView } from '../views/fills.ts';
import { HistoryUnavailableError } from './history.ts';
import { HistoryOpenError, IN_MEMORY } from './schema.ts';
import { openHistoryStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the history of a seeded venue', () => {
  for (const [seed, custody] of [
    [6, false],
    [4, true],
  ] as const) {
    it(`adds up to the micro for every account and any span of time (seed ${seed})`, () =>
      assertSeedAddsUp(seed, custody));
  }

  it('pages through all fills ever, in the form of the newest (ACC-4)', async () => {
    const traded = await Traded.begin(5, false);
    const history = await fresh(traded, await openHistoryStore(IN_MEMORY));
    await traded.trade(900, history.effects, () => history.applied());
    let pages = 0;
    for (const { index } of traders(traded.state)) {
      const all = (traded.fills.get(index) ?? []).toReversed().map(fillView);
      const paged = [];
      for (let before = Number.MAX_SAFE_INTEGER; ; ) {
        const { rows, hasMore } = await history.read('fills', { account: index, before, limit: 7 });
        paged.push(...rows.map(storedFillView));
        pages += 1;
        if (!hasMore) break;
        before = rows.at(-1)!.fillId!;
      }
      assert.equal(JSON.stringify(paged), JSON.stringify(all));
    }
    assert.ok(pages > 20, `${pages} pages`);
  });
});

describe('a history', () => {
  it('shows nothing of an entry that was only partly applied', async () => {
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, await openHistoryStore(IN_MEMORY));
    await traded.trade(100, history.effects, () => history.applied());
    const account = traders(traded.state)[0]!;
    const ask = () => history.read('statement', { account: account.index, ...ALL });
    // Earlier entries are applied but not yet written when the next one fails half-way.
    traded.state.seq += 1;
    history.effects.cashMoved(account, { kind: 'funding', cashMicros: toMicros(5) });
    const before = await ask();
    assert.equal(assertAddsUp(before), account.cashMicros);
    await assert.rejects(history.durable(traded.state.seq), HistoryUnavailableError);
    history.applied();
    assert.equal((await ask()).rows.length, before.rows.length + 1);
  });
});

describe('a history whose file fails', () => {
  it('says so, holds snapshots back, loses nothing and recovers by itself', async () => {
    const path = join(folder, 'failing.db');
    const store = await openFile(path);
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, store);
    await traded.trade(200, history.effects, () => history.applied());
    await history.durable(traded.state.seq);
    const other = new DatabaseSync(path);
    other.exec(
      `CREATE TRIGGER broken BEFORE INSERT ON movement BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`,
    );
    await traded.trade(300, history.effects, () => history.applied());
    const account = traders(traded.state)[0]!;
    const ask = () => history.read('statement', { account: account.index, ...ALL });
    await assert.rejects(ask, HistoryUnavailableError);
    await assert.rejects(history.durable(traded.state.seq), /disk I\/O error/);
    await traded.trade(100, history.effects, () => history.applied());
    other.exec('DROP TRIGGER broken');
    other.close();
    assert.equal(assertAddsUp(await ask()), account.cashMicros);
    await history.durable(traded.state.seq);
    await store.close();
  });

  it('answers its readers within 5 s while another program holds it, and continues after that', async (t) => {
    const path = join(folder, 'held.db');
    const store = await openFile(path);
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, store);
    await traded.trade(200, history.effects, () => history.applied());
    const account = traders(traded.state)[0]!;
    const ask = () => history.read('statement', { account: account.index, ...ALL });
    await ask();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await traded.trade(200, history.effects, () => history.applied());
    const limits = holdWaits(t, 5_000);
    // Each has 5 s of its own from its start, also one that asks while the thread is busy with another.
    for (const n of [1, 2]) {
      const asked = ask();
      assert.equal(limits.length, n);
      limits[n - 1]!.end();
      await assert.rejects(asked, HistoryUnavailableError);
    }
    other.exec('ROLLBACK');
    other.close();
    assert.equal(assertAddsUp(await ask()), account.cashMicros);
  });

  it('is given up when too much waits for it, and then delays nothing', async () => {
    const path = join(folder, 'given-up.db');
    const store = await openFile(path);
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, store);
    await traded.trade(100);
    new DatabaseSync(path).exec(
      `CREATE TRIGGER broken BEFORE UPDATE ON progress BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    history.applied();
    await assert.rejects(history.durable(traded.state.seq), /full/);
    const account = traders(traded.state)[0]!;
    for (let n = 0; n < 250_001; n++) {
      history.effects.cashMoved(account, { kind: 'funding', cashMicros: account.cashMicros });
    }
    await traded.trade(1, history.effects, () => history.applied());
    await history.durable(traded.state.seq);
    await assert.rejects(history.read('statement', { account: 3, ...ALL }), /given up/);
    await store.close();
  });

  it('refuses the file of another node or of another program', async () => {
    const path = join(folder, 'taken.db');
    const store = await openFile(path);
    await assert.rejects(openHistoryStore(path), (error: Error) => {
      assert.ok(error instanceof HistoryOpenError);
      assert.match(error.message, /in use by another process; give each node a VENUE_HISTORY of its own/);
      return true;
    });
    await store.close();
    const foreign = join(folder, 'foreign.db');
    new DatabaseSync(foreign).exec('CREATE TABLE theirs(x)');
    await assert.rejects(openHistoryStore(foreign), /is a database of something else/);
    assert.ok(readdirSync(folder).includes('foreign.db'));
  });
});
