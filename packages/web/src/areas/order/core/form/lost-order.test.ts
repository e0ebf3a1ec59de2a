import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Account } from '@venue/protocol';
import { OutcomeUnknownError } from '@venue/sdk/browser';
import { lookUntilKnown } from './lost-order.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
afterEach(() => mock.timers.reset());

/** Answers of the venue to one look after the other, the last of them for good. */
function lost(...looks: ('unreachable' | 'unknown' | 'carried out')[]): OutcomeUnknownError {
  const [look = 'unreachable', ...later] = looks;
  const verdict = look === 'carried out' ? look : 'unknown';
  const account = look === 'unreachable' ? null : ({} as Account);
  return new OutcomeUnknownError(
    'no answer',
    { verdict, account, fillsSince: [], orderIds: [] },
    { lookAgain: async () => lost(...(later.length === 0 ? looks : later)) },
  );
}

/** The verdict, and how often the page looked for it within so many seconds. */
async function looked(first: OutcomeUnknownError, seconds: number): Promise<[string, number]> {
  let looks = 0;
  let verdict = 'looking';
  void lookUntilKnown(first, { now: Date.now, onLook: () => (looks += 1) }).then((found) => {
    verdict = found.verdict;
  });
  for (let i = 0; i < seconds; i++) {
    mock.timers.tick(1_000);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  return [verdict, looks];
}

test('CID-1: a venue that answers and does not know is asked for ten seconds', async () => {
  assert.deepEqual(await looked(lost('unknown'), 30), ['unknown', 10]);
});

test('CID-1: a venue that cannot be reached is asked until it can be, and then known at once', async () => {
  const silent = Array.from({ length: 60 }, () => 'unreachable' as const);
  assert.deepEqual(await looked(lost(...silent, 'carried out'), 59), ['looking', 60]);
  assert.deepEqual(await looked(lost(...silent, 'carried out'), 62), ['carried out', 60]);
});
