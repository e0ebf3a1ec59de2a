import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchDone } from '../../../../session/batches.ts';
import { createStores } from '../../../../terminal/stores.ts';
import { Notices } from '../../../notices/core/notices.ts';
import { type Flown, OrderFlight } from './order-flight.ts';

test('CID-1: an order that is called off is sent no more, whichever order that is', async () => {
  const stores = createStores();
  const told: string[] = [];
  const flight = new OrderFlight<Flown>({
    notices: new Notices(stores.notices),
    now: () => 0,
    isAtWork: () => true,
    show: ({ advice }) => told.push(advice?.text ?? ''),
    onAnswer: () => told.push('answered'),
    tell() {},
    close() {},
  });
  // Before there is one it does nothing.
  flight.callOff();
  const begin = (name: string) => {
    const attempts = { until: AbortSignal.abort() };
    const done = flight.begin({ title: name, no: 0 }, (until) => {
      attempts.until = until;
      return new Promise<BatchDone>((_, reject) => {
        until.addEventListener('abort', () => reject(new Error(`${name} was called off`)));
      });
    });
    return { attempts, done };
  };
  const first = begin('first');
  assert.equal(first.attempts.until.aborted, false);
  flight.callOff();
  await first.done;
  const second = begin('second');
  assert.deepEqual([first.attempts.until.aborted, second.attempts.until.aborted], [true, false]);
  flight.callOff();
  await second.done;
  assert.equal(told.length, 2);
  assert.ok(
    told.every((text) => text.includes('called off')),
    told.join(),
  );
});
