import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createState } from '@venue/engine';
import type { Address } from '@venue/protocol';
import type { Verifier } from '@venue/replay';
import { WaitingLine } from '../auth/waiting-line.ts';
import { HttpError } from './errors.ts';
import { fits } from './sign-in.ts';

test('AUTH-1: signatures that fit no likely challenge queue, and are refused when the queue is full', async () => {
  const asked: string[] = [];
  let atOnce = 0;
  let most = 0;
  const recover = async (text: string) => {
    asked.push(text);
    if (text !== 'likeliest') most = Math.max(most, ++atOnce);
    await new Promise(setImmediate);
    if (text !== 'likeliest') atOnce -= 1;
    return null;
  };
  const services = {
    verifier: { recover } as unknown as Verifier,
    wideSignIns: new WaitingLine(2),
    state: createState(),
    now: Date.now,
  };
  const signed = { address: `0x${'a'.repeat(40)}` as Address, signature: `0x${'1'.repeat(128)}1b` };
  const attempt = { messages: ['likeliest', 'older', 'oldest'] };
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => fits(services, signed, attempt)));
  const refused = results.filter((result) => result.status === 'rejected');
  assert.ok(refused.every(({ reason }) => reason instanceof HttpError));
  assert.equal(refused.length, 7);
  assert.equal(most, 1);
  assert.equal(asked.filter((text) => text === 'oldest').length, 3);

  const before = asked.length;
  assert.equal(await fits(services, { ...signed, signature: '0x' }, attempt), false);
  assert.equal(asked.length, before, 'one that can be none is tried against nothing (SIG-1)');
});
