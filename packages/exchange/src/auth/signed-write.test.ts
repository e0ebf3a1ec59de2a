import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isRefused, stateDigest } from '@venue/engine';
import { type Address, cancelEnvelope, marginEnvelope, orderEnvelope, toMicros, ZERO } from '@venue/protocol';
import { openVerifier, type Verifier } from '@venue/replay';
import {
  ALICE,
  BOB,
  keyOf,
  marginOn,
  NONCES_PER_KEY_MAX,
  SESSION,
  START_MS,
  STRANGER,
  signed,
  TestVenue,
  type TextOf,
} from '../../test/auth-venue.ts';
import { authorize, type SignedWrite } from './signed-write.ts';
import { WaitingLine } from './waiting-line.ts';

let verifier: Verifier;
before(async () => {
  verifier = await openVerifier({ workers: 1 });
});
after(() => verifier.close());

function depsOf(venue: TestVenue, wideSearches = new WaitingLine(8)) {
  return { state: venue.state, now: () => venue.nowMs, verifier, wideSearches };
}

const broken: TextOf = (fields) => cancelEnvelope({ ...fields, symbols: ['BTC\nnonce: 1'] });

function approved(): TestVenue {
  const venue = new TestVenue();
  venue.approve(ALICE, SESSION.address);
  return venue;
}

/** Authorizes a margin write and applies it, as the node does. */
async function spend(venue: TestVenue, write: SignedWrite): Promise<object> {
  const authorized = await authorize(depsOf(venue), write);
  if (isRefused(authorized)) return authorized;
  return venue.apply({ kind: 'margin', ...authorized, enabled: true });
}

test('SIG-4: a signed write yields the account and what the engine needs to spend the signature', async () => {
  const write = signed();
  assert.deepEqual(await authorize(depsOf(approved()), write), {
    account: ALICE,
    authorization: { sessionKey: SESSION.address, nonce: START_MS, signature: write.fields.signature },
  });
});

describe('the order of the checks: each request also has every later fault', () => {
  const late = START_MS + 3_600_000;
  const cases: readonly [string, (venue: TestVenue) => SignedWrite, string][] = [
    [
      'a line break',
      () => ({ fields: { sessionKey: STRANGER.address, nonce: 0, signature: '' }, text: broken }),
      'fieldHasNewline',
    ],
    [
      'an unknown key',
      () => ({ fields: { sessionKey: STRANGER.address, nonce: 0, signature: '' }, text: marginOn }),
      'unknownSessionKey',
    ],
    [
      'a revoked key',
      (venue) => {
        venue.apply({ kind: 'revoke', address: ALICE, sessionKey: SESSION.address, signature: '0x' });
        return { fields: { sessionKey: SESSION.address, nonce: 0, signature: '' }, text: marginOn };
      },
      'unknownSessionKey',
    ],
    [
      'an expired session',
      (venue) => {
        venue.nowMs = START_MS + 24 * 3_600_000;
        return { fields: { sessionKey: SESSION.address, nonce: 0, signature: '' }, text: marginOn };
      },
      'sessionExpired',
    ],
    [
      'a nonce outside the window',
      () => ({ fields: { sessionKey: SESSION.address, nonce: late, signature: '' }, text: marginOn }),
      'nonceOutsideWindow',
    ],
    [
      'a malformed signature with a spent nonce',
      (venue) => {
        spendNonces(venue, 1);
        return { fields: { sessionKey: SESSION.address, nonce: START_MS, signature: '0x' }, text: marginOn };
      },
      'badSignature',
    ],
    [
      'a signature by another key with a spent nonce',
      (venue) => {
        spendNonces(venue, 1);
        return signed({ key: STRANGER });
      },
      'badSignature',
    ],
    [
      'a spent nonce when no other is free',
      (venue) => {
        spendNonces(venue, NONCES_PER_KEY_MAX);
        return signed();
      },
      'nonceUsed',
    ],
    [
      'a fresh nonce when none is free',
      (venue) => {
        spendNonces(venue, NONCES_PER_KEY_MAX);
        return signed({ nonce: START_MS + 1_000 });
      },
      'tooManyInFlight',
    ],
  ];
  for (const [name, request, refusal] of cases) {
    test(`SIG-4: ${name}`, async () => {
      const venue = approved();
      const write = request(venue);
      const before = stateDigest(venue.state);
      assert.deepEqual(await authorize(depsOf(venue), write), { refusal });
      assert.equal(stateDigest(venue.state), before, 'a refused request changes nothing');
    });
  }

  function spendNonces(venue: TestVenue, count: number): void {
    for (let index = 0; index < count; index++) {
      const authorization = {
        sessionKey: SESSION.address,
        nonce: START_MS + index,
        signature: '0x',
      } as const;
      venue.apply({ kind: 'margin', account: ALICE, authorization, enabled: true });
    }
  }
});

const WINDOW: readonly [number, boolean][] = [
  [-60_001, false],
  [-60_000, true],
  [60_000, true],
  [60_001, false],
];
for (const [offsetMs, accepted] of WINDOW) {
  test(`SIG-5: a nonce ${offsetMs} ms from now is ${accepted ? 'in' : 'outside'} the window`, async () => {
    const answer = await authorize(depsOf(approved()), signed({ nonce: START_MS + offsetMs }));
    assert.equal(isRefused(answer), !accepted);
  });
}

test('SIG-5: the window is judged by the log’s time where that is ahead of the clock', async () => {
  const venue = approved();
  venue.nowMs += 50_000;
  venue.apply({ kind: 'open', address: BOB });
  venue.nowMs -= 40_000;
  assert.deepEqual(await authorize(depsOf(venue), signed({ nonce: START_MS - 20_000 })), {
    refusal: 'nonceOutsideWindow',
  });
});

test('SIG-4: a replay is refused, and so is the second of two racing requests', async () => {
  const venue = approved();
  const write = signed();
  assert.equal(isRefused(await spend(venue, write)), false);
  assert.deepEqual(await spend(venue, write), { refusal: 'nonceUsed' });
  const racing = signed({ nonce: START_MS + 1 });
  const both = await Promise.all([spend(venue, racing), spend(venue, racing)]);
  assert.deepEqual(both.map(isRefused), [false, true]);
});

test('SIG-4: a bad signature does not use up the nonce', async () => {
  const venue = approved();
  assert.deepEqual(await spend(venue, signed({ key: STRANGER })), { refusal: 'badSignature' });
  assert.equal(isRefused(await spend(venue, signed())), false);
});

test('SIG-1: a wallet cannot sign for its own session', async () => {
  assert.deepEqual(await authorize(depsOf(approved()), signed({ key: keyOf(1) })), {
    refusal: 'badSignature',
  });
});

describe('a signature cannot be spent on another write', () => {
  const order = (over: object): TextOf => {
    const base = {
      seriesId: 'BTC-1764374400-C-190',
      side: 'buy',
      qtyMicros: toMicros(1),
      priceMicros: ZERO,
    } as const;
    return (fields) => orderEnvelope({ ...fields, ...base, ...over });
  };
  const cancel = (symbols: readonly string[] | 'all'): TextOf => {
    return (fields) => cancelEnvelope({ ...fields, symbols });
  };
  const pairs: readonly [string, TextOf, TextOf][] = [
    ['margin off for on', (fields) => marginEnvelope({ ...fields, enabled: false }), marginOn],
    ['one symbol for all', cancel(['BTC']), cancel('all')],
    ['one symbol for two', cancel(['BTC']), cancel(['BTC', 'ETH'])],
    ['cancel for margin', cancel('all'), marginOn],
    ['another series', order({}), order({ seriesId: 'BTC-1764374400-P-190' })],
    ['another side', order({}), order({ side: 'sell' })],
    ['another quantity', order({}), order({ qtyMicros: toMicros(2) })],
    ['a market order for a price of 0', order({ priceMicros: 'market' }), order({})],
  ];
  for (const [name, text, other] of pairs) {
    test(`SIG-2: ${name}`, async () => {
      const deps = depsOf(approved());
      assert.deepEqual(await authorize(deps, { ...signed({ text }), text: other }), {
        refusal: 'badSignature',
      });
      assert.equal(isRefused(await authorize(deps, signed({ text }))), false);
    });
  }

  test('SIG-4: or on another nonce', async () => {
    const { fields, text } = signed();
    const moved = { fields: { ...fields, nonce: fields.nonce + 1 }, text };
    assert.deepEqual(await authorize(depsOf(approved()), moved), { refusal: 'badSignature' });
  });
});

describe('a key that several wallets approved', () => {
  test('KEY-1: the account line decides whose session is spent', async () => {
    const venue = approved();
    venue.approve(BOB, SESSION.address);
    const [alices, bobs] = await Promise.all(
      [ALICE, BOB].map((account) => authorize(depsOf(venue), signed({ account }))),
    );
    assert.equal(alices && 'account' in alices && alices.account, ALICE);
    assert.equal(bobs && 'account' in bobs && bobs.account, BOB);
  });

  test('KEY-1: KEY-2: a wallet whose session is dead is told so, though another wallet keeps the key alive', async () => {
    const venue = approved();
    const carol = keyOf(9).address;
    venue.approve(BOB, SESSION.address);
    venue.approve(carol, SESSION.address, 1_000);
    venue.apply({ kind: 'revoke', address: ALICE, sessionKey: SESSION.address, signature: '0x' });
    venue.nowMs += 1_000;
    const authorizeFor = (account: Address) => authorize(depsOf(venue), signed({ account }));
    assert.deepEqual(await authorizeFor(ALICE), { refusal: 'unknownSessionKey' });
    assert.deepEqual(await authorizeFor(carol), { refusal: 'sessionExpired' });
    assert.equal(isRefused(await authorizeFor(BOB)), false);
  });

  test('KEY-1: nobody signs for a wallet that never approved the key', async () => {
    const write = signed({ account: keyOf(9).address });
    assert.deepEqual(await authorize(depsOf(approved()), write), { refusal: 'badSignature' });
  });

  test('KEY-2: a session revoked while its signature is being checked is not spent', async () => {
    const venue = approved();
    const answer = authorize(depsOf(venue), signed());
    venue.apply({ kind: 'revoke', address: ALICE, sessionKey: SESSION.address, signature: '0x' });
    assert.deepEqual(await answer, { refusal: 'unknownSessionKey' });
  });

  test('KEY-1: SIG-4: each wallet has its own nonces under the key', async () => {
    const venue = approved();
    venue.approve(BOB, SESSION.address);
    assert.equal(isRefused(await spend(venue, signed())), false);
    assert.equal(isRefused(await spend(venue, signed({ account: BOB }))), false);
    assert.deepEqual(await spend(venue, signed({ account: BOB })), { refusal: 'nonceUsed' });
  });
});

describe('a key approved by a crowd of strangers', () => {
  const CROWD = 50;

  /** The strangers' accounts are older than Alice's; she approves her key before or after them. */
  function crowded(alice: 'first' | 'last'): TestVenue {
    const venue = new TestVenue();
    const strangers = Array.from({ length: CROWD }, (_, index) => keyOf(100 + index).address);
    for (const address of strangers) venue.apply({ kind: 'open', address });
    if (alice === 'first') venue.approve(ALICE, SESSION.address);
    venue.nowMs += 1;
    for (const address of strangers) venue.approve(address, SESSION.address);
    venue.nowMs += 1;
    if (alice === 'last') venue.approve(ALICE, SESSION.address);
    return venue;
  }

  async function recoveriesFor(venue: TestVenue, write: SignedWrite, line?: WaitingLine) {
    let recoveries = 0;
    const counting: Pick<Verifier, 'verify'> = {
      verify(...question) {
        recoveries += 1;
        return verifier.verify(...question);
      },
    };
    const answer = await authorize({ ...depsOf(venue, line), verifier: counting }, write);
    return { recoveries, spender: isRefused(answer) ? answer.refusal : answer.account };
  }

  test('KEY-1: the first account to approve is found with one recovery', async () => {
    assert.deepEqual(await recoveriesFor(crowded('first'), signed()), { recoveries: 1, spender: ALICE });
  });

  test('KEY-1: renewal does not move the first account behind the strangers', async () => {
    const venue = crowded('first');
    venue.approve(ALICE, SESSION.address, 2 * 24 * 3_600_000);
    assert.equal(
      venue.state.accountByAddress.get(ALICE)?.sessions.get(SESSION.address)?.approvedAt,
      venue.nowMs,
    );
    assert.deepEqual(await recoveriesFor(venue, signed()), { recoveries: 1, spender: ALICE });
  });

  test('KEY-1: the last account to approve is found too, with one recovery once the key is in use', async () => {
    const venue = crowded('last');
    assert.deepEqual(await recoveriesFor(venue, signed()), { recoveries: CROWD + 1, spender: ALICE });
    await spend(venue, signed());
    assert.deepEqual(await recoveriesFor(venue, signed({ nonce: START_MS + 1 })), {
      recoveries: 1,
      spender: ALICE,
    });
  });

  test('KEY-1: junk queues for its long search and does not delay requests that need none', async () => {
    const venue = crowded('first');
    const deps = depsOf(venue, new WaitingLine(2));
    const junk = Array.from({ length: 10 }, () => authorize(deps, signed({ key: STRANGER })));
    assert.equal(isRefused(await authorize(deps, signed())), false);
    const refusals = (await Promise.all(junk)).map((answer) => isRefused(answer) && answer.refusal);
    assert.equal(refusals.filter((refusal) => refusal === 'badSignature').length, 3);
    assert.equal(refusals.filter((refusal) => refusal === 'tooManyInFlight').length, 7);
  });

  test('KEY-1: junk costs eight recoveries when the queue is full', async () => {
    const full = new WaitingLine(0);
    const { promise, resolve } = Promise.withResolvers<void>();
    const inside = full.run('', () => promise);
    const junk = await recoveriesFor(crowded('first'), signed({ key: STRANGER }), full);
    assert.deepEqual(junk, { recoveries: 8, spender: 'tooManyInFlight' });
    resolve();
    await inside;
  });
});

test('FINE-8: a number that no envelope can carry is the caller’s mistake, not the client’s', async () => {
  const text: TextOf = (fields) => cancelEnvelope({ ...fields, symbols: 'all', nonce: 0.5 });
  const write = { ...signed(), text };
  await assert.rejects(authorize(depsOf(approved()), write), { name: 'EnvelopeFieldError' });
});

const SYMBOLS: readonly [string, readonly string[], string][] = [
  ['a comma', ['BTC,ETH'], 'symbolComma'],
  ['a carriage return', ['BTC\r'], 'fieldHasNewline'],
  ['the word all', ['all'], 'symbolReserved'],
];
for (const [name, symbols, refusal] of SYMBOLS) {
  test(`ORD-9: a signed cancel of symbols with ${name}`, async () => {
    const text: TextOf = (fields) => cancelEnvelope({ ...fields, symbols });
    assert.deepEqual(await authorize(depsOf(approved()), { ...signed(), text }), { refusal });
  });
}
