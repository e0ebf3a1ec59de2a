/** From a wallet to a token and a session key, and the errors on the way. */

import { Venue } from '../support.ts';
import { Player, walletOf } from './cast.ts';
import type { Chapter } from './chapter.ts';
import type { ExampleTerms, Scribe } from './scribe.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const CHALLENGE_MS = 600_000;
const SESSIONS_MAX = 64;

export const SIGN_IN: Chapter = {
  title: 'sign-in and session keys',
  on: 'paper',
  play: async (stage, scribe) => {
    await challenges(stage, scribe);
    await approvals(stage, scribe);
    await revocations(stage, scribe);
    await lateChallenge(stage, scribe);
  },
};

async function challenges(stage: Stage, scribe: Scribe): Promise<void> {
  const alice = walletOf('Alice');
  const address = alice.address.toLowerCase();
  const verify = (name: string, summary: string, signature: string) =>
    scribe.record(stage, {
      operation: 'POST /v1/auth/verify',
      name,
      summary,
      request: { body: { address, signature } },
    });
  const { message } = await scribe.record(stage, {
    operation: 'GET /v1/auth/challenge',
    name: 'issued',
    summary: 'A text to sign',
    request: { query: { address: alice.address } },
  });
  await verify(
    'badSignature',
    'Signed by another wallet',
    await walletOf('Mallory').signMessage({ message }),
  );
  await verify('noChallenge', 'The challenge was consumed', await alice.signMessage({ message }));
  const { body } = await new Venue(stage.url).get(`/v1/auth/challenge?address=${address}`);
  await verify('signedIn', 'A first sign-in', await alice.signMessage({ message: body.message }));
}

async function approvals(stage: Stage, scribe: Scribe): Promise<void> {
  const alice = new Player(stage, 'Alice');
  const approve = (name: string, summary: string, body: unknown) =>
    scribe.record(stage, { operation: 'POST /v1/auth/session', name, summary, request: { body } });
  await scribe.record(stage, {
    operation: 'GET /v1/auth/session',
    name: 'none',
    summary: 'A wallet without a session',
    request: { query: { address: alice.account } },
  });
  const posted = await alice.approval();
  await approve('approved', 'A session of one day', posted);
  const mallory = new Player(stage, 'Mallory');
  const forged = (await mallory.approval()).signature;
  await approve('badSignature', 'No signature of 65 bytes', { ...posted, signature: '0x00' });
  await approve('approvalNotByAccount', 'Signed by another wallet', { ...posted, signature: forged });
  await approve('badExpiry', 'More than 30 days', await alice.approval(stage.nowMs() + 31 * DAY_MS));
  await scribe.record(stage, {
    operation: 'GET /v1/auth/session',
    name: 'one',
    summary: 'The session keys of a wallet',
    request: { query: { address: alice.account } },
  });
  const many = new Player(stage, 'Manfred');
  const venue = new Venue(stage.url);
  for (let i = 0; i < SESSIONS_MAX; i++)
    await venue.post('/v1/auth/session', await many.approval(stage.nowMs() + DAY_MS, walletOf(`key ${i}`)));
  await approve('tooManySessions', 'A 65th session', await many.approval());
}

async function revocations(stage: Stage, scribe: Scribe): Promise<void> {
  const venue = new Venue(stage.url);
  const rita = new Player(stage, 'Rita');
  const posted = await rita.approval();
  await venue.post('/v1/auth/session', posted);
  const body = await rita.revocation(posted.expiresAt);
  const revoke = (recorded: Omit<ExampleTerms, 'operation' | 'request'>, of: object) =>
    scribe.record(stage, {
      operation: 'POST /v1/auth/session/revoke',
      ...recorded,
      request: { body: { ...body, ...of } },
    });
  const stranger = new Player(stage, 'Mallory').account;
  await revoke({ name: 'badSignature', summary: 'Not signed' }, { signature: '0x00' });
  await revoke({ name: 'notYourSessionKey', summary: 'A key of somebody else' }, { address: stranger });
  await revoke(
    { name: 'unknownSessionKey', summary: 'A key that nobody approved' },
    { sessionKey: walletOf('a key that nobody approved').address },
  );
  await revoke({ name: 'revoked', summary: 'The key is dead from here on' }, {});
  await scribe.record(stage, {
    operation: 'POST /v1/auth/session',
    name: 'unknownSessionKey',
    summary: 'A key that was revoked',
    request: { body: posted },
  });
}

async function lateChallenge(stage: Stage, scribe: Scribe): Promise<void> {
  const { address } = walletOf('Late');
  const { body } = await new Venue(stage.url).get(`/v1/auth/challenge?address=${address}`);
  const signature = await walletOf('Late').signMessage({ message: body.message });
  if (!(await stage.pass(CHALLENGE_MS))) return;
  await scribe.record(stage, {
    operation: 'POST /v1/auth/verify',
    name: 'challengeExpired',
    summary: 'Ten minutes later',
    request: { body: { address, signature } },
  });
}
