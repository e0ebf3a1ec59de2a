import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { VenueClient } from '@venue/sdk/operators';
import { AdminConsole } from './admin-console.ts';

const REVIEW = { symbol: 'ETH', expiryTs: 20, series: ['ETH-20-C-1'], refused: null };
const REQUEST = { symbol: 'ETH', expiryTs: 20, price: 3_010 };
const SECRETS = { token1: 'of ann', token2: 'of bo' };

/** The page before a venue that records what it is asked, and refuses a confirmation with this text. */
function deskBefore(refusal: string | null) {
  const asked: unknown[] = [];
  const settled = { settled: ['ETH-20-C-1'] };
  const operator = {
    audit: async function* () {},
    settle: async (...words: unknown[]) => {
      asked.push('settle', ...words);
      return settled;
    },
    propose: async (...words: unknown[]) => {
      asked.push('propose', ...words);
      return { id: 7 };
    },
    confirm: async (...words: unknown[]) => {
      asked.push('confirm', ...words);
      if (refusal !== null) throw new Error(refusal);
      return settled;
    },
  };
  return { asked, desk: new AdminConsole({ operator, market: {} } as unknown as VenueClient) };
}

it('OPS-2: two operators with names settle as one who proposes and one who confirms', async () => {
  const { asked, desk } = deskBefore(null);
  const outcome = await desk.settle(REVIEW, 3_010, { areOwn: true, ...SECRETS });
  assert.deepEqual(outcome, { isDone: true, text: 'Settled 1 series at 3010.' });
  assert.deepEqual(asked, [
    ...['propose', REQUEST, { which: 'own', token: 'of ann' }],
    ...['confirm', { id: 7, ...REQUEST }, { which: 'own', token: 'of bo' }],
  ]);
});

it('OPS-2: what the second may not confirm is named as waiting', async () => {
  const { desk } = deskBefore('the other secret has to confirm');
  const outcome = await desk.settle(REVIEW, 3_010, { areOwn: true, ...SECRETS });
  assert.deepEqual(outcome, {
    isDone: false,
    text: 'the other secret has to confirm: proposal 7 waits a quarter of an hour for another operator',
  });
});

it('CUS-10: the two secrets of settlement go in one request', async () => {
  const { asked, desk } = deskBefore(null);
  assert.ok((await desk.settle(REVIEW, 3_010, { areOwn: false, ...SECRETS })).isDone);
  assert.deepEqual(asked, ['settle', REQUEST, SECRETS]);
});

it('CUS-10, OPS-2: each of two operators signs on a page of their own, with the secret that opened it', async () => {
  const { asked, desk } = deskBefore(null);
  await desk.enter('of ann');
  assert.match(
    (await desk.propose(REVIEW, 3_010)).text,
    /^Proposed number 7 at 3010\. Another operator confirms/,
  );
  assert.deepEqual(asked, ['propose', REQUEST, { which: 'own', token: 'of ann' }]);
  asked.length = 0;
  const outcome = await desk.confirm(REVIEW, 3_010, 7);
  assert.deepEqual(outcome, { isDone: true, text: 'Settled 1 series at 3010.' });
  assert.deepEqual(asked, ['confirm', { id: 7, ...REQUEST }, { which: 'own', token: 'of ann' }]);
  desk.leave();
});
