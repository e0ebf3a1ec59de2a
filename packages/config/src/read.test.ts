import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError } from './config-error.ts';
import { Fault } from './kinds.ts';
import { readVariables } from './read.ts';
import type { Reader, Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

const DECLARED = Object.entries<Variable>(VARIABLES);

/** All variables that any reader requires. */
const NEEDED = {
  VENUE_OPERATOR_TOKEN: 'operator',
  VENUE_FEED_TOKEN: 'feed',
  VENUE_MAKER_TOKEN: 'maker',
  VENUE_SETTLE_TOKEN_1: 'first',
  VENUE_SETTLE_TOKEN_2: 'second',
  VENUE_RPC_URL: 'https://rpc.example',
  VENUE_CHAIN_ID: '1',
  VENUE_VAULT_ADDRESS: `0x${'ab'.repeat(20)}`,
  VENUE_TOKEN_ADDRESS: `0x${'cd'.repeat(20)}`,
  VENUE_VAULT_FROM_BLOCK: '0',
  VENUE_VAULT_OPERATOR_KEY: `0x${'0a'.repeat(32)}`,
  VENUE_VAULT_DEPLOYMENT: 'vault.json',
  VENUE_CHECKER_LOG: 'sqlite:copy.db',
  VENUE_DEPLOYER_KEY: `0x${'0a'.repeat(32)}`,
  VENUE_CROWD_KEY: `0x${'0a'.repeat(32)}`,
  VENUE_PUSH_KEY: 'A'.repeat(43),
  VENUE_PUSH_CONTACT: 'mailto:ops@venue.example',
};

test('a reader gets exactly its own variables: the value, the default, or null', () => {
  assert.deepEqual(readVariables('venue', {}), {
    VENUE_URL: 'http://127.0.0.1:8080',
    VENUE_READ_URL: null,
  });
  assert.deepEqual(readVariables('profile', { VENUE_HOME: '/h', VENUE_PORT: 'abc' }), {
    VENUE_HOME: '/h',
    VENUE_PROFILE: null,
  });
});

test('PUSH-7: a contact is of a host on the internet', () => {
  const read = (contact: string) => readVariables('push', { ...NEEDED, VENUE_PUSH_CONTACT: contact });
  for (const contact of ['mailto:ops@venue.example', 'https://venue.example/contact'])
    assert.equal(read(contact).VENUE_PUSH_CONTACT, contact);
  for (const contact of [
    ...[
      'mailto:me@localhost',
      'mailto:me@venue',
      'mailto:me@desk.local',
      'mailto:me@127.0.0.1',
      'me@venue.example',
    ],
    ...[
      'https://localhost/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://desk.localhost',
      'http://venue.example',
    ],
  ])
    assert.throws(
      () => read(contact),
      { name: 'ConfigError', message: /of a host on the internet/ },
      contact,
    );
});

test('an empty variable counts as absent', () => {
  assert.equal(readVariables('exchange', { VENUE_PORT: '' }).VENUE_PORT, 8080);
  assert.throws(() => readVariables('operator', { VENUE_OPERATOR_TOKEN: '' }), {
    name: 'ConfigError',
    message: /^VENUE_OPERATOR_TOKEN is not set: it is the secret of unnamed operators/,
  });
});

describe('every declaration', () => {
  for (const [name, { kind, readBy = [], neededBy = [], ...terms }] of DECLARED) {
    test(`${name} accepts its own default, and names its readers and the effect of its absence`, () => {
      const readers: Reader[] = [...readBy, ...neededBy];
      assert.ok(readers.length > 0);
      assert.equal(new Set(readers).size, readers.length);
      if (terms.default !== undefined) assert.ok(!(kind.parse(String(terms.default)) instanceof Fault));
      else if (readBy.length > 0) assert.ok(terms.absent);
      assert.match(terms.meaning, /^(the|how|where|whether) /);
      assert.doesNotMatch(`${terms.meaning}${kind.allowed}${terms.absent}`, /[|\n]/, 'it stands in a table');
    });
  }

  // Refused by every kind except names, files and folders.
  const WRONG = '\u0000 wrong';
  for (const [name, { kind, secret, readBy = [], neededBy = [] }] of DECLARED) {
    const reader = [...readBy, ...neededBy][0]!;
    if (kind.parse(WRONG) === WRONG) continue;
    test(`${name} is refused in one line that names it${secret ? ' and does not repeat it' : ''}`, () => {
      assert.throws(
        () => readVariables(reader, { ...NEEDED, [name]: WRONG }),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${name} must `) &&
          !error.message.includes('\n') &&
          !(secret && error.message.includes(WRONG)),
      );
    });
  }
});

test('PUSH-4 a push service is a name below a domain, or the whole origin of an address', () => {
  const services = (text: string) =>
    readVariables('push', { ...NEEDED, VENUE_PUSH_SERVICES: text }).VENUE_PUSH_SERVICES;
  assert.deepEqual(services('Push.Example.com, https://10.0.0.5:8443'), [
    'push.example.com',
    'https://10.0.0.5:8443',
  ]);
  for (const wrong of [
    '10.0.0.5',
    'localhost',
    'http://push.example',
    'https://push.example/path',
    '*.example',
  ])
    assert.throws(() => services(wrong), { name: 'ConfigError', message: /^VENUE_PUSH_SERVICES must / });
});
