import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '@venue/config';
import { loadBatcherConfig, loadReservesConfig, loadWatcherConfig } from './config.ts';

const KEY = `0x${'0a'.repeat(32)}`;
const HASH = `0x${'AB'.repeat(32)}`;
const ENV = {
  VENUE_RPC_URLS: 'https://rpc.example/v2/key, https://other.example/v2/key',
  VENUE_VAULT_ADDRESS: `0x${'Ab'.repeat(20)}`,
  VENUE_TOKEN_ADDRESS: `0x${'Cd'.repeat(20)}`,
  VENUE_CHAIN_ID: '1',
  VENUE_VAULT_FROM_BLOCK: '20000000',
  VENUE_OPERATOR_TOKEN: 'secret',
  VENUE_VAULT_OPERATOR_KEY: KEY,
};

test('an unset variable has its default', () => {
  assert.deepEqual(loadWatcherConfig({ ...ENV, VENUE_CONFIRMATIONS: '' }), {
    url: 'http://127.0.0.1:8080',
    rpcUrls: ['https://rpc.example/v2/key', 'https://other.example/v2/key'],
    chainId: 1,
    vault: `0x${'ab'.repeat(20)}`,
    token: `0x${'cd'.repeat(20)}`,
    codeHash: null,
    credential: { name: 'VENUE_OPERATOR_TOKEN', secret: 'secret' },
    fromBlock: 20_000_000,
    confirmations: null,
    chunkBlocks: 2_000,
    pollMs: 3_000,
    metricsPort: null,
    statePath: './data/watcher.json',
    headStillMinutes: 10,
    giftsMicros: 0,
    skip: new Set(),
  });
  const batcher = loadBatcherConfig(ENV);
  assert.equal(batcher.statePath, './data/batcher.json');
  assert.equal(batcher.batchMax, 200);
  assert.deepEqual(batcher.limits, { payoutMaxMicros: null, accountDayMaxMicros: null, hourMaxMicros: null });
  assert.deepEqual([batcher.approvers, batcher.takesUnproven], [[], false]);
  assert.equal(batcher.feeMaxWei, 200n * 10n ** 9n);
  const { VENUE_RPC_URLS, VENUE_VAULT_ADDRESS } = ENV;
  const { chainId, token } = loadReservesConfig({ VENUE_RPC_URLS, VENUE_VAULT_ADDRESS });
  assert.deepEqual([chainId, token], [null, null]);
  assert.equal(loadReservesConfig(ENV).chainId, 1);
});

test('CUS-11: a single server is enough for the reserves, and for a daemon only where that is said', () => {
  const { VENUE_RPC_URLS: _, ...rest } = ENV;
  const single = { ...rest, VENUE_RPC_URL: 'https://rpc.example/v2/key' };
  assert.deepEqual(loadReservesConfig(single).rpcUrls, [single.VENUE_RPC_URL]);
  for (const load of [loadWatcherConfig, loadBatcherConfig]) {
    assert.throws(
      () => load(single),
      /^ConfigError: there is a single node of the chain, .* VENUE_RPC_SINGLE=1/,
    );
    assert.deepEqual(load({ ...single, VENUE_RPC_SINGLE: '1' }).rpcUrls, [single.VENUE_RPC_URL]);
  }
});

test('CUS-9: a daemon has a secret of its own, or the operators’ in its place', () => {
  const { VENUE_OPERATOR_TOKEN: _, ...alone } = ENV;
  const own = { VENUE_DEPOSIT_TOKEN: 'deposits', VENUE_PAYOUT_TOKEN: 'payouts' };
  for (const env of [ENV, alone]) {
    assert.deepEqual(loadWatcherConfig({ ...env, ...own }).credential, {
      name: 'VENUE_DEPOSIT_TOKEN',
      secret: 'deposits',
    });
    assert.deepEqual(loadBatcherConfig({ ...env, ...own }).credential, {
      name: 'VENUE_PAYOUT_TOKEN',
      secret: 'payouts',
    });
  }
  const shared = { name: 'VENUE_OPERATOR_TOKEN', secret: 'secret' };
  assert.deepEqual(loadBatcherConfig({ ...ENV, VENUE_DEPOSIT_TOKEN: 'deposits' }).credential, shared);
  assert.throws(
    () => loadBatcherConfig({ ...alone, VENUE_DEPOSIT_TOKEN: 'deposits' }),
    /^ConfigError: VENUE_PAYOUT_TOKEN is not set: it is the secret of the batcher/,
  );
});

test('CUS-13: a block counts with a number of others on top of it, or once the chain calls it final', () => {
  assert.equal(loadWatcherConfig({ ...ENV, VENUE_CONFIRMATIONS: '7' }).confirmations, 7);
  assert.equal(loadBatcherConfig({ ...ENV, VENUE_CONFIRMATIONS: 'finalized' }).confirmations, 'finalized');
});

test('logs dealt with by hand are named by transaction and index', () => {
  const { skip } = loadWatcherConfig({ ...ENV, VENUE_WATCHER_SKIP: `${HASH}:3, ${HASH}:12` });
  assert.deepEqual([...skip], [`${HASH.toLowerCase()}:3`, `${HASH.toLowerCase()}:12`]);
});

const REFUSED: [Record<string, string>, RegExp][] = [
  [{ VENUE_RPC_URLS: '' }, /^VENUE_RPC_URLS is not set/],
  [
    { VENUE_RPC_URLS: 'https://rpc.example/key,wss://rpc.example/key' },
    /^VENUE_RPC_URLS must be an http address, or/,
  ],
  [
    { VENUE_RPC_URLS: 'https://rpc.example/key,https://RPC.example/key' },
    /^VENUE_RPC_URLS must be .* each once$/,
  ],
  [{ VENUE_RPC_URLS: 'https://rpc.example/key' }, /^there is a single node of the chain/],
  [{ VENUE_RPC_URL: 'https://rpc.example/key' }, /^VENUE_RPC_URLS and VENUE_RPC_URL are both set/],
  [{ VENUE_RPC_URLS: '', VENUE_RPC_URL: 'wss://rpc.example/key' }, /^VENUE_RPC_URL must be an http address$/],
  [{ VENUE_VAULT_ADDRESS: '' }, /^VENUE_VAULT_ADDRESS is not set/],
  [{ VENUE_VAULT_ADDRESS: '0x12' }, /^VENUE_VAULT_ADDRESS must be 0x and 40 hex digits, not "0x12"$/],
  [{ VENUE_TOKEN_ADDRESS: '' }, /^VENUE_TOKEN_ADDRESS is not set: it is the address of the stablecoin/],
  [{ VENUE_TOKEN_ADDRESS: '0x12' }, /^VENUE_TOKEN_ADDRESS must be 0x and 40 hex digits, not "0x12"$/],
  [{ VENUE_CHAIN_ID: '' }, /^VENUE_CHAIN_ID is not set/],
  [{ VENUE_CHAIN_ID: '0' }, /^VENUE_CHAIN_ID must be an integer from 1/],
  [{ VENUE_VAULT_FROM_BLOCK: '' }, /^VENUE_VAULT_FROM_BLOCK is not set/],
  [{ VENUE_OPERATOR_TOKEN: '' }, /^VENUE_DEPOSIT_TOKEN is not set: it is the secret of the watcher/],
  [{ VENUE_DEPOSIT_TOKEN: '0a0a0a 0a' }, /^VENUE_DEPOSIT_TOKEN must be ASCII without spaces$/],
  [{ VENUE_OPERATOR_TOKEN: '0a0a0a 0a' }, /^VENUE_OPERATOR_TOKEN must be ASCII without spaces$/],
  [{ VENUE_URL: 'http://ann:0a0a0a@venue' }, /^VENUE_URL must be an http address without user and password$/],
  [{ VENUE_URL: 'venue' }, /^VENUE_URL must be an http address, not "venue"$/],
  [
    { VENUE_CONFIRMATIONS: '0' },
    /^VENUE_CONFIRMATIONS must be an integer from 1 to 10000, or finalized, not "0"$/,
  ],
  [{ VENUE_CONFIRMATIONS: '1e3' }, /^VENUE_CONFIRMATIONS must/],
  [{ VENUE_WATCHER_SKIP: HASH }, /^VENUE_WATCHER_SKIP must be a list like/],
  [{ VENUE_BATCH_MAX: '0' }, /^VENUE_BATCH_MAX must/],
  [{ VENUE_BATCH_MAX: '201' }, /^VENUE_BATCH_MAX must be an integer from 1 to 200/],
  [{ VENUE_PAYOUT_MAX: '-1' }, /^VENUE_PAYOUT_MAX must be an amount in US dollars from 0/],
  [{ VENUE_PAYOUT_HOUR_MAX: '0.0000001' }, /^VENUE_PAYOUT_HOUR_MAX must/],
  [{ VENUE_PAYOUT_APPROVERS: '0x12' }, /^VENUE_PAYOUT_APPROVERS must be addresses of 0x and 40 hex digits/],
  [
    { VENUE_VAULT_OPERATOR_KEY: '' },
    /^no key signs: set one of VENUE_VAULT_OPERATOR_KEY, VENUE_VAULT_OPERATOR_KEY/,
  ],
  [{ VENUE_VAULT_OPERATOR_KEYSTORE: 'key.json' }, /^more than one key is named: set one of/],
  [
    { VENUE_VAULT_OPERATOR_KEY: '', VENUE_VAULT_OPERATOR_KEYSTORE: 'key.json' },
    /^VENUE_VAULT_OPERATOR_PASSWORD is not set, and VENUE_VAULT_OPERATOR_KEYSTORE needs it$/,
  ],
  [
    { VENUE_VAULT_OPERATOR_KEY: '', VENUE_VAULT_OPERATOR_SIGNER: 'http://rpc.example/key' },
    /^VENUE_VAULT_OPERATOR_ADDRESS is not set, and VENUE_VAULT_OPERATOR_SIGNER needs it$/,
  ],
  [{ VENUE_VAULT_OPERATOR_KEY: KEY.slice(2) }, /^VENUE_VAULT_OPERATOR_KEY must be a private key/],
  [{ VENUE_VAULT_OPERATOR_KEY: `0x${'0'.repeat(64)}` }, /^VENUE_VAULT_OPERATOR_KEY must be a private key/],
];
for (const [change, message] of REFUSED)
  test(`CRED-1: ${JSON.stringify(change)} is refused in one line that repeats no secret`, () => {
    assert.throws(
      () => [loadWatcherConfig({ ...ENV, ...change }), loadBatcherConfig({ ...ENV, ...change })],
      (error) =>
        error instanceof ConfigError &&
        message.test(error.message) &&
        !/\n|v2\/key|rpc.example\/key|0a0a0a/.test(error.message),
    );
  });
