import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  addressOf,
  DEPOSITS,
  type LocalVenue,
  newWallet,
  OPERATOR_TOKEN,
  openSession,
  startVenue,
} from '../../exchange/test/support.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const HASH = `0x${'ab'.repeat(32)}`;
const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };

let venue: LocalVenue;
before(async () => {
  venue = await startVenue(DEPOSITS);
});
after(() => venue.exchange.stop());

async function operator(words: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, 'operator', ...words], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      VENUE_URL: venue.url,
      VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
      ...env,
    },
  });
  const code = new Promise((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

function deposit(address: string, amount: number, logIndex: number) {
  const body = { address, amount, txHash: HASH, logIndex, blockNumber: 1, blockHash: HASH };
  return venue.post('/v1/deposit', body, OPERATOR);
}

test('DEP-2: what is held is listed and released', async () => {
  assert.equal((await operator(['held'])).stdout, 'nothing is held\n');
  const address = addressOf(newWallet());
  await deposit(address, 1_500_000, 1);
  await deposit(address, 1, 2);
  assert.equal((await operator(['held'])).stdout, `${address}  1.500001 USD in 2 deposits\n`);
  const released = await operator(['release', address.toUpperCase().replace('0X', '0x')]);
  assert.equal(released.stdout, `released 1.500001 USD to ${address}; its cash is 1.500001 USD\n`);
  const again = await operator(['release', address]);
  assert.deepEqual([again.code, again.stderr], [1, 'venue: nothing held for this address\n']);
});

test('PAY-3: payouts are listed, of both states or of one', async () => {
  assert.equal((await operator(['payouts'])).stdout, 'no payouts\n');
  const session = await openSession(venue);
  await deposit(session.account, 9_000_000, 3);
  for (let i = 0; i < 2; i++) await venue.post('/v1/withdraw', await session.withdraw(1.25));
  await venue.post('/v1/operator/payouts/commit', { ids: [1], txHash: HASH }, OPERATOR);
  const { stdout } = await operator(['payouts']);
  const [first, second] = stdout.split('\n');
  const amount = `${session.account}  1.250000 USD`;
  assert.match(first!, new RegExp(`^1  \\d{4}-.*Z  ${amount}  committed in ${HASH}$`));
  assert.match(second!, new RegExp(`^2  \\d{4}-.*Z  ${amount}  requested$`));
  assert.equal((await operator(['payouts', '--state', 'requested'])).stdout, `${second}\n`);
});

test('PAY-3: payouts that were committed by hand are noted, whole or not at all', async () => {
  const note = (ids: string, tx = `0x${'cd'.repeat(32)}`) => operator(['commit', '--ids', ids, '--tx', tx]);
  const unknown = await note('2,9');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^venue: .+\n$/);
  const { stdout } = await note('2');
  assert.match(stdout, new RegExp(`^2  .* committed in 0x${'cd'.repeat(32)}\n$`));
  assert.equal((await note(' 2 ')).stdout, stdout);
  const again = await note('2', HASH);
  assert.deepEqual([again.code, again.stderr], [1, 'venue: payout committed in another transaction\n']);
  assert.match((await operator(['payouts', '--state', 'requested'])).stdout, /^no payouts\n$/);
});

test('what cannot be done is one line and 1', async () => {
  const WORDS: [string[], Record<string, string>, RegExp][] = [
    [['release', '0x12'], {}, /^venue: the address must be 0x and 40 hex digits, not "0x12"\n$/],
    [['held'], { VENUE_OPERATOR_TOKEN: '' }, /^venue: VENUE_OPERATOR_TOKEN is not set/],
    [['held'], { VENUE_OPERATOR_TOKEN: 'other' }, /^venue: wrong credential\n$/],
    [['commit', '--ids', '0', '--tx', HASH], {}, /^venue: --ids must be up to 200 payout numbers/],
    [['commit', '--ids', '1', '--tx', '0x12'], {}, /0x and 64 hex digits/],
    [
      ['held'],
      { VENUE_URL: 'http://ann:pw@venue' },
      /^venue: VENUE_URL must be .* without user and password\n$/,
    ],
    [['payouts', '--state', 'lost'], {}, /requested, committed/],
  ];
  for (const [words, env, message] of WORDS) {
    const { code, stdout, stderr } = await operator(words, env);
    assert.deepEqual([code, stdout], [1, ''], words.join(' '));
    assert.match(stderr, message);
  }
});
