import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { apply, createState, type Decision, decodeEntry, NO_EFFECTS } from '@venue/engine';
import { beyondItsSnapshot, start } from '../../test/history-starts.ts';
import { Traded } from '../../test/movements.ts';
import { HistoryFile } from './file.ts';
import { settlementsOf } from './settlement-table.ts';
import { standingOf } from './standing.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-settlement-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'history.db');

/** The expected row of each decision of the state, noted after the entry in which it got its price. */
async function naiveRows({ log }: Traded): Promise<object[]> {
  const state = createState();
  const rows = new Map<string, object>();
  const follower = log.follow(
    1,
    (entries) => {
      for (const entry of entries) {
        apply(state, decodeEntry(entry), NO_EFFECTS);
        for (const { decisions } of state.instruments.values())
          for (const decision of decisions.values()) {
            const key = `${decision.instrument.symbol} ${decision.expiryTs}`;
            if (decision.priceMicros !== null && !rows.has(key)) rows.set(key, rowOf(decision, state.seq));
          }
      }
    },
    { onError: (error) => assert.fail(String(error)) },
  );
  await follower.caughtUp;
  follower.stop();
  return [...rows.values()];
}

function rowOf(
  { instrument, expiryTs, decidedAt, priceMicros, by, ...inputs }: Decision,
  seq: number,
): object {
  return {
    ...{ symbol: instrument.symbol, expiry_ts: expiryTs, seq, decided_at: decidedAt, price: priceMicros, by },
    ...{ dispersion: inputs.dispersionMicroBps, sources: JSON.stringify(inputs.sources) },
  };
}

function rowsIn(file: string): object[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT * FROM settlement ORDER BY decided_at, symbol, expiry_ts').all();
  db.close();
  return rows.map((row) => ({ ...row }));
}

const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** Starts as a node does, and checks the file against the log. */
async function assertEqualsLog(traded: Traded): Promise<object[]> {
  const { history, store } = await start(traded, path);
  await history.durable(traded.state.seq);
  const naive = await naiveRows(traded);
  assert.deepEqual(sorted(rowsIn(path)), sorted(naive));
  await store.close();
  return naive;
}

describe('settlements in the history', () => {
  it('are all that the log has, by the oracle and by hand, after each kind of start (ORA-2)', async () => {
    const traded = await beyondItsSnapshot(path, 19, { snapshotAt: 167 });
    const rows = (await assertEqualsLog(traded)) as { by: string }[];
    assert.ok(rows.length > 5, `${rows.length}`);
    assert.deepEqual(new Set(rows.map(({ by }) => by)), new Set(['oracle', 'hand']));
    rmSync(path);
    await assertEqualsLog(traded);
  });

  it('begin with those of the state where the log no longer has the earlier entries (ORA-2)', async () => {
    const traded = await Traded.begin(7, false);
    await traded.trade(250);
    const { state } = traded;
    const begun = join(folder, 'begun.db');
    const file = new HistoryFile(begun);
    const settlements = settlementsOf(state);
    const { seq, ts, lastFillId } = state;
    const standing = standingOf(state, { withValues: true });
    const from = { seq, ts, lastFillId, completeFromMs: ts + 1, balances: [], standing };
    file.begin({ kind: 'anew', ...from, settlements, wrong: null });
    const priced = [...state.instruments.values()]
      .flatMap(({ decisions }) => [...decisions.values()])
      .filter(({ priceMicros }) => priceMicros !== null);
    file.close();
    assert.ok(priced.length > 0);
    assert.deepEqual(sorted(rowsIn(begun)), sorted(priced.map((decision) => rowOf(decision, seq))));
  });
});
