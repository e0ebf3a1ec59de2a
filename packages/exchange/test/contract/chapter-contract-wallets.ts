/** Posts of contract wallets, and their outcomes: `deposits` mode. */

import { addressOf, OPERATOR_TOKEN, Venue } from '../support.ts';
import { Player, walletOf } from './cast.ts';
import type { Chapter } from './chapter.ts';
import type { Scribe } from './scribe.ts';
import type { Stage } from './stage.ts';

const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const DAY_MS = 86_400_000;
const PER_ADDRESS = 8;
const REVOCATIONS_PER_SESSION = 32;
const SESSIONS_MAX = 64;
const CONTRACT = `0x${'c0'.repeat(20)}`;
const BLOCK = { chainId: 1, blockNumber: 7, blockHash: `0x${'b1'.repeat(32)}` };

export const CONTRACT_WALLETS: Chapter = {
  title: 'contract wallets',
  on: 'deposits',
  play: async (stage, scribe) => {
    const { id, sessionKey } = await approvals(stage, scribe);
    await follow(scribe, stage, id);
    await revocations(stage, scribe, sessionKey);
  },
};

function terms(stage: Stage, key: string, address = CONTRACT) {
  return {
    address,
    sessionKey: addressOf(walletOf(key)),
    expiresAt: stage.nowMs() + DAY_MS,
    signature: '0x1234',
  };
}

async function approvals(stage: Stage, scribe: Scribe): Promise<{ id: number; sessionKey: string }> {
  const approve = (name: string, summary: string, body: object) =>
    scribe.record(stage, { operation: 'POST /v1/auth/session/contract', name, summary, request: { body } });
  const body = terms(stage, "a contract's session key");
  const { id } = await approve('parked', 'Waits for the chain', body);
  await approve('badExpiry', 'More than 30 days', { ...body, expiresAt: stage.nowMs() + 31 * DAY_MS });
  const alice = await Player.enter(stage, 'Alice');
  await approve('signsItself', 'An account with a key', { ...body, address: alice.account });
  const venue = new Venue(stage.url);
  const filled = `0x${'f1'.repeat(20)}`;
  for (let i = 0; i < PER_ADDRESS; i++)
    await venue.post('/v1/auth/session/contract', terms(stage, `key ${i}`, filled));
  await approve('tooManyParked', 'A ninth for an address', terms(stage, 'another key', filled));
  const busy = `0x${'b5'.repeat(20)}`;
  for (let i = 0; i < SESSIONS_MAX; i++) {
    const { body: parked } = await venue.post('/v1/auth/session/contract', terms(stage, `key ${i}`, busy));
    await attest(stage, parked.id, 'valid');
  }
  await approve('tooManySessions', 'A 65th session', terms(stage, 'another key', busy));
  return { id, sessionKey: body.sessionKey };
}

async function follow(scribe: Scribe, stage: Stage, id: number): Promise<void> {
  const read = (name: string, summary: string, of = id) =>
    scribe.record(stage, {
      operation: 'GET /v1/auth/session/contract',
      name,
      summary,
      request: { query: { id: String(of) } },
    });
  await read('parked', 'Nobody has answered');
  await attest(stage, id, 'valid');
  await read('approved', 'The contract accepts the signature');
  const { body } = await new Venue(stage.url).post(
    '/v1/auth/session/contract',
    terms(stage, 'a key that the contract did not approve'),
  );
  await attest(stage, body.id, 'invalid');
  await read('refused', 'The contract does not', body.id);
  await read('unknownParked', 'A number that no approval has', 999_999);
}

async function revocations(stage: Stage, scribe: Scribe, sessionKey: string): Promise<void> {
  const body = { address: CONTRACT, sessionKey, signature: '0x5678' };
  const revoke = (name: string, summary: string, of: object = {}) =>
    scribe.record(stage, {
      operation: 'POST /v1/auth/session/contract/revoke',
      name,
      summary,
      request: { body: { ...body, ...of } },
    });
  const { id } = await revoke('parked', 'Waits for the chain');
  const alice = new Player(stage, 'Alice');
  await revoke('notYourSessionKey', 'A key of somebody else', { address: addressOf(walletOf('Mallory')) });
  await revoke('unknownSessionKey', 'A key that nobody approved', {
    sessionKey: addressOf(walletOf('a key that nobody approved')),
  });
  await revoke('signsItself', 'An account with a key', {
    address: alice.account,
    sessionKey: addressOf(walletOf("Alice's session key")),
  });
  for (let i = 1; i < REVOCATIONS_PER_SESSION; i++)
    await new Venue(stage.url).post('/v1/auth/session/contract/revoke', {
      ...body,
      signature: `0x${i + 10}`,
    });
  await revoke('tooManyParked', 'A 33rd for a session', { signature: '0xff' });
  await attest(stage, id, 'valid');
  await scribe.record(stage, {
    operation: 'POST /v1/auth/session/contract',
    name: 'unknownSessionKey',
    summary: 'A key that was revoked',
    request: { body: { ...terms(stage, "a contract's session key"), sessionKey } },
  });
}

async function attest(stage: Stage, id: number, verdict: string): Promise<void> {
  await new Venue(stage.url).post('/v1/operator/parked/attest', { id, verdict, ...BLOCK }, OPERATOR);
}
