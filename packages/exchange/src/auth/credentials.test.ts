import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSecrets, Credentials, ROLES, type Role, type Secrets } from './credentials.ts';

const SECRETS: Secrets = {
  operator: 'operator-secret-of-32-characters-',
  maker: 'maker-secret-of-some-32-characters',
  feed: 'feed-secret-of-more-than-32-chars-',
  settle1: 'settle-one-secret-of-32-characters',
  settle2: 'settle-two-secret-of-32-characters',
};
const HEADER: Record<Role, string> = {
  operator: 'x-operator-token',
  maker: 'x-maker-token',
  feed: 'x-feed-token',
  settle1: 'x-settle-token-1',
  settle2: 'x-settle-token-2',
};

test('CRED-1: each role is granted by its own header with its own secret only', () => {
  const credentials = new Credentials(SECRETS);
  for (const role of ROLES) {
    for (const headerOf of ROLES) {
      for (const secretOf of ROLES) {
        const holds = credentials.holds(role, { [HEADER[headerOf]]: SECRETS[secretOf] ?? '' });
        assert.equal(holds, role === headerOf && role === secretOf, `${role} ${headerOf} ${secretOf}`);
      }
    }
  }
});

test('CRED-1: a missing, empty, shorter, longer or padded secret is wrong', () => {
  const credentials = new Credentials(SECRETS);
  const secret = SECRETS.feed ?? '';
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
  for (const presented of ['', 'null', 'undefined', SECRETS.operator ?? '']) {
    assert.equal(credentials.holds('feed', { 'x-feed-token': presented }), false);
    assert.equal(credentials.holds('maker', { 'x-maker-token': presented }), false);
  }
  assert.equal(credentials.holds('operator', { 'x-operator-token': SECRETS.operator ?? '' }), true);
});

const FAULTS: readonly { name: string; secrets: Secrets; fault: string | null }[] = [
  { name: 'five valid secrets', secrets: SECRETS, fault: null },
  {
    name: 'a missing secret',
    secrets: { ...SECRETS, maker: null },
    fault: 'VENUE_MAKER_TOKEN is required in deposits mode',
  },
  {
    name: 'an empty secret',
    secrets: { ...SECRETS, settle2: '' },
    fault: 'VENUE_SETTLE_TOKEN_2 is required in deposits mode',
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
