import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptStorage } from '../../../test/kept-storage.ts';
import {
  depositSteps,
  type Evidence,
  isOver,
  progressOf,
  type SentTransaction,
  SentTransactions,
} from './progress.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;
const DEPOSIT: SentTransaction = {
  purpose: 'deposit',
  hash: HASH,
  nonce: 4,
  amountMicros: 5_000_000,
  sentAtMs: 1,
};
const NOTHING: Evidence = {
  receipt: null,
  headBlock: 100,
  transactionCount: 4,
  confirmationsWanted: 3,
  isCredited: false,
};
const mined = (blockNumber: number) => ({ receipt: { isSuccess: true, blockNumber }, transactionCount: 5 });

describe('the transactions of a deposit (TERM-24)', () => {
  it('begin by resetting an allowance that is left over, where the token asks for it', () => {
    const steps = (allowance: bigint, mustReset: boolean) =>
      depositSteps({ allowance, mustReset }, 5n).join();
    assert.equal(steps(0n, false), 'allow,deposit');
    assert.equal(steps(4n, false), 'allow,deposit');
    assert.equal(steps(4n, true), 'reset,allow,deposit');
    assert.equal(steps(5n, true), 'deposit');
  });
});

describe('the progress of a transaction', () => {
  it("counts a deposit's confirmations like the watcher, then waits for the venue's books", () => {
    const stage = (evidence: Partial<Evidence>) => progressOf(DEPOSIT, { ...NOTHING, ...evidence });
    assert.deepEqual(stage({}), { stage: 'sent' });
    assert.deepEqual(stage(mined(100)), { stage: 'mined', confirmations: 0 });
    assert.deepEqual(stage(mined(98)), { stage: 'mined', confirmations: 2 });
    assert.deepEqual(stage(mined(97)), { stage: 'confirmed' });
    assert.deepEqual(stage({ ...mined(97), isCredited: true }), { stage: 'done' });
  });

  it('goes back on a chain reorganisation, and ends when its nonce is used by another transaction', () => {
    assert.deepEqual(progressOf(DEPOSIT, NOTHING), { stage: 'sent' });
    assert.deepEqual(progressOf(DEPOSIT, { ...NOTHING, transactionCount: 5 }), { stage: 'replaced' });
    const unknown = { ...DEPOSIT, nonce: null };
    assert.deepEqual(progressOf(unknown, { ...NOTHING, transactionCount: 9 }), { stage: 'sent' });
  });

  it('ends at once where no confirmations are needed, and when the chain refused it', () => {
    const claim: SentTransaction = { ...DEPOSIT, purpose: 'claim' };
    assert.deepEqual(progressOf(claim, { ...NOTHING, ...mined(100) }), { stage: 'done' });
    const failed = progressOf(DEPOSIT, { ...NOTHING, receipt: { isSuccess: false, blockNumber: 9 } });
    assert.deepEqual([failed, isOver(failed)], [{ stage: 'failed' }, true]);
  });
});

describe('transactions that a browser keeps', () => {
  it('are listed newest first, without duplicates, until they are deleted', () => {
    const storage = keptStorage();
    const kept = new SentTransactions(() => storage, 'v');
    const later = { ...DEPOSIT, hash: `0x${'cd'.repeat(32)}`, sentAtMs: 2 } as const;
    kept.keep(DEPOSIT);
    kept.keep(later);
    kept.keep({ ...DEPOSIT, nonce: 7 });
    const again = new SentTransactions(() => storage, 'v');
    assert.deepEqual(again.list(), [later, { ...DEPOSIT, nonce: 7 }]);
    again.forget(later.hash);
    assert.deepEqual(kept.list(), [{ ...DEPOSIT, nonce: 7 }]);
  });

  it('are empty where the stored data is damaged', () => {
    const others = [{ purpose: 'steal' }, { hash: [DEPOSIT.hash] }, { nonce: 'x' }, { sentAtMs: 0.5 }];
    const damaged = others.map((other) => JSON.stringify([{ ...DEPOSIT, ...other }]));
    for (const text of ['{', '{}', '[1]', ...damaged]) {
      const storage = keptStorage({ 'venue sent v': text });
      assert.deepEqual(new SentTransactions(() => storage, 'v').list(), [], text);
    }
  });
});
