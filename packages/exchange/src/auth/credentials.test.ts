import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { NamedOperator } from '@venue/config';
import {
  assertOperators,
  assertSecrets,
  assertSettleSecrets,
  Credentials,
  ROLES,
  type Role,
  type Secrets,
  sharedSecrets,
} from './credentials.ts';

const SECRETS: Record<Role, string> = {
  operator: 'operator-secret-of-32-characters-',
  deposit: 'deposit-secret-of-32-characters--',
  payout: 'payout-secret-of-some-32-characters',
  attest: 'attest-secret-of-some-32-characters',
  maker: 'maker-secret-of-some-32-characters',
  feed: 'feed-secret-of-more-than-32-chars-',
  settle1: 'settle-one-secret-of-32-characters',
  settle2: 'settle-two-secret-of-32-characters',
};
const HEADER: Record<Role, string> = {
  operator: 'x-operator-token',
  deposit: 'x-operator-token',
  payout: 'x-operator-token',
  attest: 'x-operator-token',
  maker: 'x-maker-token',
  feed: 'x-feed-token',
  settle1: 'x-settle-token-1',
  settle2: 'x-settle-token-2',
};

const hashed = (secret: string) => createHash('sha256').update(secret).digest('hex');
const ANN: NamedOperator = {
  name: 'ann',
  roles: ['operate', 'settle'],
  hashes: [hashed('new'), hashed('old')],
};
const BO: NamedOperator = { name: 'bo', roles: ['settle'], hashes: [hashed('bo')] };

test('OPS-2: an operator is known by either of two secrets, the shared secret is nobody’s name and settles nothing', () => {
  const credentials = new Credentials(SECRETS, null, [ANN, BO]);
  const of = (secret: string) => credentials.operatorOf({ 'x-operator-token': secret });
  for (const secret of ['new', 'old'])
    assert.deepEqual([of(secret)?.name, [...of(secret)!.roles]], ['ann', ['operate', 'settle']]);
  assert.equal(of('bo')?.name, 'bo');
  const shared = of(SECRETS.operator)!;
  assert.deepEqual([shared.name, [...shared.roles]], ['operator', ['read', 'operate', 'custody']]);
  for (const wrong of ['', 'ann', hashed('new'), SECRETS.deposit]) assert.equal(of(wrong), null);
  assert.equal(credentials.operatorOf({}), null);
  assert.equal(
    new Credentials({ ...SECRETS, operator: null }, null, []).operatorOf({ 'x-operator-token': '' }),
    null,
  );
  for (const role of ROLES) assert.ok(!credentials.holds(role, { [HEADER[role]]: 'new' }));
});

test('OPS-2: names stand for the shared and the settlement secrets, and never beside a second secret of theirs', () => {
  const settlers = [ANN, BO];
  const { operator: _, settle1: __, settle2: ___, ...daemons } = SECRETS;
  const nobody = { operator: null, settle1: null, settle2: null };
  assert.equal(assertSecrets({ ...daemons, ...nobody }, settlers), null);
  assert.equal(assertOperators({ ...daemons, ...nobody }, settlers), null);
  assert.equal(
    assertSecrets({ ...daemons, ...nobody, deposit: null }, settlers),
    'VENUE_DEPOSIT_TOKEN is required in deposits mode',
  );
  assert.equal(
    assertSecrets({ ...daemons, ...nobody }, [ANN]),
    'VENUE_OPERATORS gives the role settle to one operator, and settling takes two',
  );
  assert.match(assertSecrets({ ...daemons, ...nobody })!, /^VENUE_OPERATOR_TOKEN is required/);
  assert.equal(
    assertOperators(SECRETS, settlers),
    'VENUE_OPERATORS gives the role settle, and VENUE_SETTLE_TOKEN_1 is set: keep one of them',
  );
  const twin = [{ ...BO, roles: ['read'] as const, hashes: [hashed(SECRETS.feed)] }];
  assert.equal(assertOperators(SECRETS, twin), 'VENUE_OPERATORS has the secret of VENUE_FEED_TOKEN');
  assert.deepEqual(sharedSecrets(SECRETS), [
    'VENUE_OPERATORS is not set: the audit cannot tell apart who has VENUE_OPERATOR_TOKEN ("venue operators add")',
  ]);
  assert.deepEqual(sharedSecrets({ ...SECRETS, operator: null }), []);
});

test('CRED-1: each role is granted by its own header with its own secret only', () => {
  const credentials = new Credentials(SECRETS);
  for (const role of ROLES) {
    for (const headerOf of ROLES) {
      for (const secretOf of ROLES) {
        const holds = credentials.holds(role, { [HEADER[headerOf]]: SECRETS[secretOf] });
        const isItsOwn = HEADER[role] === HEADER[headerOf] && role === secretOf;
        assert.equal(holds, isItsOwn, `${role} ${headerOf} ${secretOf}`);
      }
    }
  }
});

test('CRED-1: a missing, empty, shorter, longer or padded secret is wrong', () => {
  const credentials = new Credentials(SECRETS);
  const secret = SECRETS.feed;
  for (const wrong of [
    '',
    secret.slice(1),
    secret.slice(0, -1),
    `${secret}x`,
    ` ${secret}`,
    secret.toUpperCase(),
  ]) {
    assert.equal(credentials.holds('feed', { 'x-feed-token': wrong }), false, wrong);
  }
  assert.equal(credentials.holds('feed', {}), false);
});

test('CRED-1: a role whose secret is not set is granted to nobody', () => {
  const credentials = new Credentials({ ...SECRETS, feed: null, maker: '' });
  for (const presented of ['', 'null', 'undefined', SECRETS.operator]) {
    assert.equal(credentials.holds('feed', { 'x-feed-token': presented }), false);
    assert.equal(credentials.holds('maker', { 'x-maker-token': presented }), false);
  }
  assert.equal(credentials.holds('operator', { 'x-operator-token': SECRETS.operator }), true);
});

test('CUS-9: without a secret of its own a daemon presents the operators’, and no longer once it has one', () => {
  const headers = { 'x-operator-token': SECRETS.operator };
  for (const role of ['deposit', 'payout'] as const) {
    for (const unset of [null, '']) {
      const secrets: Secrets = { ...SECRETS, [role]: unset };
      assert.equal(new Credentials(secrets).holds(role, headers), true);
      assert.deepEqual(sharedSecrets(secrets, [ANN]), [
        `VENUE_${role.toUpperCase()}_TOKEN is not set: anyone with VENUE_OPERATOR_TOKEN can also ${role === 'deposit' ? 'credit deposits' : 'note payouts as committed'}`,
      ]);
    }
    assert.equal(new Credentials(SECRETS).holds(role, headers), false);
    const nobody = new Credentials({ ...SECRETS, [role]: null, operator: null });
    assert.equal(nobody.holds(role, headers), false);
  }
  assert.deepEqual(sharedSecrets(SECRETS, [ANN]), []);
});

test('CUS-10: a hash is as good as the secret, and grants nothing itself', () => {
  const sha256 = createHash('sha256').update(SECRETS.settle1).digest('hex');
  const credentials = new Credentials({ ...SECRETS, settle1: { sha256 } });
  assert.equal(credentials.holds('settle1', { 'x-settle-token-1': SECRETS.settle1 }), true);
  assert.equal(credentials.holds('settle1', { 'x-settle-token-1': sha256 }), false);
  const twins = (other: Partial<Secrets>) => ({ ...SECRETS, settle1: { sha256 }, ...other });
  for (const assertAny of [assertSecrets, assertSettleSecrets]) {
    assert.equal(assertAny(twins({})), null);
    assert.match(
      assertAny(twins({ settle2: { sha256 } }))!,
      /^VENUE_SETTLE_HASH_\d must differ from VENUE_SETTLE_HASH_\d$/,
    );
    const tokenTwin = assertAny(twins({ settle2: SECRETS.settle1 }));
    assert.match(
      tokenTwin!,
      /^VENUE_SETTLE_(TOKEN_2|HASH_1) must differ from VENUE_SETTLE_(TOKEN_2|HASH_1)$/,
    );
    assert.match(
      assertAny(twins({ maker: SECRETS.settle1 }))!,
      /must differ from VENUE_(MAKER_TOKEN|SETTLE_HASH_1)/,
    );
  }
});

const FAULTS: readonly { name: string; secrets: Secrets; fault: string | null }[] = [
  { name: 'seven valid secrets', secrets: SECRETS, fault: null },
  {
    name: 'none of their own for the daemons',
    secrets: { ...SECRETS, deposit: null, payout: null },
    fault: null,
  },
  {
    name: 'the operator’s secret for deposits',
    secrets: { ...SECRETS, deposit: SECRETS.operator },
    fault: 'VENUE_DEPOSIT_TOKEN must differ from VENUE_OPERATOR_TOKEN',
  },
  {
    name: 'one secret for deposits and payouts',
    secrets: { ...SECRETS, payout: SECRETS.deposit },
    fault: 'VENUE_PAYOUT_TOKEN must differ from VENUE_DEPOSIT_TOKEN',
  },
  {
    name: 'a short secret for payouts',
    secrets: { ...SECRETS, payout: 'x'.repeat(31) },
    fault: 'VENUE_PAYOUT_TOKEN must have at least 32 characters',
  },
  {
    name: 'a missing secret',
    secrets: { ...SECRETS, maker: null },
    fault: 'VENUE_MAKER_TOKEN is required in deposits mode',
  },
  {
    name: 'an empty secret',
    secrets: { ...SECRETS, settle2: '' },
    fault: 'VENUE_SETTLE_TOKEN_2 or VENUE_SETTLE_HASH_2 is required in deposits mode',
  },
  {
    name: 'a secret of 31 characters',
    secrets: { ...SECRETS, operator: 'x'.repeat(31) },
    fault: 'VENUE_OPERATOR_TOKEN must have at least 32 characters',
  },
  { name: 'a secret of 32 characters', secrets: { ...SECRETS, operator: 'x'.repeat(32) }, fault: null },
  {
    name: 'one secret for both halves of hand settlement',
    secrets: { ...SECRETS, settle2: SECRETS.settle1 },
    fault: 'VENUE_SETTLE_TOKEN_2 must differ from VENUE_SETTLE_TOKEN_1',
  },
  {
    name: 'the operator’s secret for the feed',
    secrets: { ...SECRETS, feed: SECRETS.operator },
    fault: 'VENUE_FEED_TOKEN must differ from VENUE_OPERATOR_TOKEN',
  },
];

for (const { name, secrets, fault } of FAULTS) {
  test(`CRED-1: starting in deposits mode with ${name}`, () => {
    assert.equal(assertSecrets(secrets), fault);
  });
}
