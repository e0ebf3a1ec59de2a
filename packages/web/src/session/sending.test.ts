import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGES } from '@venue/protocol';
import { UnauthorizedError, VenueError, VenueTimeoutError } from '@venue/sdk/browser';
import { sendWith } from './sending.ts';

function world(errors: unknown[], isRenewed = true, isSignedIn = true) {
  const did: string[] = [];
  const send = sendWith({
    isSignedIn: () => isSignedIn,
    renew: async () => {
      did.push('renew');
      return isRenewed;
    },
    resync: async () => void did.push('resync'),
    onOver: () => void did.push('over'),
  });
  const act = async () => {
    did.push('act');
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'done';
  };
  return { did, run: () => send(act) };
}

const refused = (name: keyof typeof MESSAGES) =>
  new UnauthorizedError(401, MESSAGES[name].error, MESSAGES[name].code);

test('signed out, nothing is sent, and the person is asked to sign in', async () => {
  const { did, run } = world([], true, false);
  await assert.rejects(run(), { name: 'SignedOutError', message: 'Sign in to trade.' });
  assert.deepEqual(did, []);
});

test('a lost token is renewed, and the call made once more', async () => {
  const { did, run } = world([refused('unknownToken')]);
  assert.equal(await run(), 'done');
  assert.deepEqual(did, ['act', 'renew', 'act']);
});

test("a nonce outside the window is signed once more with the venue's time, and only once (SIG-5)", async () => {
  const { did, run } = world([refused('nonceOutsideWindow'), refused('nonceOutsideWindow')]);
  await assert.rejects(run(), /nonce outside/);
  assert.deepEqual(did, ['act', 'resync', 'act']);
});

test('an ended session is reported, and nothing is retried', async () => {
  for (const name of ['sessionExpired', 'unknownSessionKey'] as const) {
    const { did, run } = world([refused(name)]);
    await assert.rejects(run());
    assert.deepEqual(did, ['act', 'over']);
  }
  const { did, run } = world([refused('unknownToken')], false);
  await assert.rejects(run());
  assert.deepEqual(did, ['act', 'renew']);
});

test('a call that may have been carried out is never sent again', async () => {
  for (const error of [
    refused('nonceUsed'),
    new VenueError(500, 'internal error'),
    new VenueTimeoutError(),
  ]) {
    const { did, run } = world([error]);
    await assert.rejects(run());
    assert.deepEqual(did, ['act']);
  }
});
