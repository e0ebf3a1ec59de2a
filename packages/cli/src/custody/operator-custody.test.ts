import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Payout } from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import {
  addressOf,
  DEPOSITS,
  type LocalVenue,
  newWallet,
  OPERATOR_TOKEN,
  openSession,
  startVenue,
} from '../../../exchange/test/support.ts';
import { runInProcess } from '../../test/in-process.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };

let venue: LocalVenue;
before(async () => {
  venue = await startVenue(DEPOSITS);
});
after(() => venue.exchange.stop());

function operator(words: string[], env: Record<string, string> = {}) {
  return runInProcess(['operator', ...words], {
    VENUE_URL: venue.url,
    VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    ...env,
  });
}

function deposit(address: string, amount: number, logIndex: number) {
  const body = { address, amount, txHash: HASH, logIndex, blockNumber: 1, blockHash: HASH };
  return venue.post('/v1/deposit', body, OPERATOR);
}

const json = (stdout: string) => JSON.parse(stdout);

test('DEP-2: held deposits are listed, and released after a yes', async () => {
  assert.equal((await operator(['held'])).stdout, 'nothing is held\n');
  const address = addressOf(newWallet());
  await deposit(address, 1_500_000, 1);
  await deposit(address, 1, 2);
  const { stdout } = await operator(['held']);
  assert.match(stdout, new RegExp(`^address +amount USD +deposits\n${address} +1\\.500001 +2\n$`));
  const rows = [{ address, amountUsd: 1.500001, deposits: 2 }];
  assert.deepEqual(json((await operator(['held', '--json'])).stdout), rows);
  const unasked = await operator(['release', address]);
  assert.deepEqual([unasked.code, unasked.stdout], [1, '']);
  assert.match(unasked.stderr, /^venue: \S+ holds real money and there is no terminal .*add --yes.*\n$/);
  const released = await operator(['release', address.toUpperCase().replace('0X', '0x'), '--yes']);
  assert.equal(released.stdout, `released 1.500001 USD to ${address}; its cash is 1.500001 USD\n`);
  const again = await operator(['release', address, '--yes']);
  assert.deepEqual([again.code, again.stderr], [1, 'venue: nothing held for this address\n']);
});

test('PAY-3: payouts are listed, in both states or in one', async () => {
  assert.equal((await operator(['payouts'])).stdout, 'no payouts\n');
  const session = await openSession(venue);
  await deposit(session.account, 9_000_000, 3);
  for (let i = 0; i < 2; i++) await venue.post('/v1/withdraw', await session.withdraw(1.25));
  await venue.post('/v1/operator/payouts/commit', { ids: [1], txHash: HASH }, OPERATOR);
  const { stdout } = await operator(['payouts']);
  const [, first, second] = stdout.split('\n');
  const amount = `${session.account} +1.250000`;
  assert.match(first!, new RegExp(`^ *1  \\d{4}-.* ${amount}  committed  ${HASH}$`));
  assert.match(second!, new RegExp(`^ *2  \\d{4}-.* ${amount}  requested$`));
  const requested = json((await operator(['payouts', '--state', 'requested', '--json'])).stdout);
  assert.deepEqual(
    requested.map(({ id, amountUsd, address }: Payout) => [id, amountUsd, address]),
    [[2, 1.25, session.account]],
  );
});

test('CUS-16: an approver signs for a payout that waits, and the exchange carries the signature', async () => {
  const reason = 'above VENUE_PAYOUT_MAX';
  await venue.post('/v1/operator/payouts/wait', { id: 2, reason }, OPERATOR);
  assert.match((await operator(['payouts'])).stdout, new RegExp(`^ *2 .* requested .*${reason}$`, 'm'));
  const key = `0x${'0a'.repeat(32)}` as const;
  const env = {
    VENUE_CHAIN_ID: '31337',
    VENUE_VAULT_ADDRESS: `0x${'56'.repeat(20)}`,
    VENUE_PAYOUT_APPROVER_KEY: key,
  };
  const approve = (id: string, changes: Record<string, string> = {}, ...more: string[]) =>
    operator(['payouts', 'approve', '--id', id, '--yes', ...more], { ...env, ...changes });
  assert.match(
    (await approve('2', { VENUE_PAYOUT_APPROVER_KEY: '' })).stderr,
    /^venue: no key signs: set one of/,
  );
  assert.match((await approve('1')).stderr, /^venue: payout 1 is committed: there is nothing to sign for\n$/);
  assert.match((await approve('9')).stderr, /^venue: there is no payout 9\n$/);
  assert.equal((await approve('0')).code, 2);
  const { stdout } = await approve('2', {}, '--json');
  const [{ approver, signature }] = json(stdout).payout.approvals;
  const [payout] = json((await operator(['payouts', '--state', 'requested', '--json'])).stdout);
  const text = [
    'Venue payout approval v1',
    'chain: 31337',
    `vault: ${env.VENUE_VAULT_ADDRESS}`,
    'payout: 2',
    `account: ${payout.address}`,
    'amount: 1250000',
  ].join('\n');
  assert.equal(signature, signPersonal(text, key));
  assert.equal(approver, addressOfPrivateKey(key));
});

test('PAY-3: payouts that were committed by hand are recorded, all or none', async () => {
  const note = (ids: string, tx = `0x${'cd'.repeat(32)}`, ...more: string[]) =>
    operator(['commit', '--ids', ids, '--tx', tx, '--yes', ...more]);
  const unknown = await note('2,9');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^venue: .+\n$/);
  const { stdout } = await note('2');
  assert.match(stdout, new RegExp(`^ *2  .* committed  0x${'cd'.repeat(32)}$`, 'm'));
  assert.equal((await note(' 2 ')).stdout, stdout);
  assert.equal(json((await note('2', undefined, '--json')).stdout).payouts[0].state, 'committed');
  const again = await note('2', HASH);
  assert.deepEqual([again.code, again.stderr], [1, 'venue: payout committed in another transaction\n']);
  assert.match((await operator(['payouts', '--state', 'requested'])).stdout, /^no payouts\n$/);
});

test('CUS-9: payouts are noted with the secret of payouts, or with the operators’ if there are none', async () => {
  const note = (env: Record<string, string>) =>
    operator(['commit', '--ids', '2', '--tx', `0x${'cd'.repeat(32)}`, '--yes'], env);
  assert.equal((await note({})).code, 0);
  assert.equal((await note({ VENUE_PAYOUT_TOKEN: OPERATOR_TOKEN, VENUE_OPERATOR_TOKEN: '' })).code, 0);
  assert.match((await note({ VENUE_PAYOUT_TOKEN: 'other' })).stderr, /^venue: wrong credential/);
  assert.match((await note({ VENUE_OPERATOR_TOKEN: '' })).stderr, /^venue: VENUE_PAYOUT_TOKEN is not set/);
});

test('RES-1: what the exchange owes is shown without a chain', async () => {
  const { code, stdout } = await operator(['reserves']);
  assert.equal(code, 0);
  assert.match(stdout, /^withdrawals committed +2\.50 USD$/m);
  assert.match(stdout, /--rpc and --vault compare it/);
});

test('a failure is one line and exit code 1, or 2 for an invalid command line', async () => {
  const WORDS: [string[], Record<string, string>, RegExp, number?][] = [
    [['release', '0x12'], {}, /^venue: the address must be 0x and 40 hex digits, not "0x12"\n$/, 2],
    [['held'], { VENUE_OPERATOR_TOKEN: '' }, /^venue: VENUE_OPERATOR_TOKEN is not set/],
    [['held'], { VENUE_OPERATOR_TOKEN: 'other' }, /^venue: wrong credential: .*\n$/],
    [['commit', '--ids', '0', '--tx', HASH], {}, /^venue: --ids must be up to 200 payout numbers/, 2],
    [['commit', '--ids', '1', '--tx', '0x12'], {}, /0x and 64 hex digits/, 2],
    [
      ['held'],
      { VENUE_URL: 'http://ann:pw@venue' },
      /^venue: VENUE_URL must be .* without user and password\n$/,
    ],
    [['payouts', '--state', 'lost'], {}, /requested, committed/, 2],
  ];
  for (const [words, env, message, exitCode = 1] of WORDS) {
    const { code, stdout, stderr } = await operator(words, env);
    assert.deepEqual([code, stdout], [exitCode, ''], words.join(' '));
    assert.match(stderr, message);
  }
});
