import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Address } from '@venue/protocol';
import { encryptKeystoreJson } from 'ethers';
import { type Hex, parseTransaction } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { funded, reached } from '../../test/payouts.ts';
import { AlarmError } from '../chain/alarm.ts';
import { ChainError } from '../chain/errors.ts';
import { openKey } from './open.ts';

const KEY = generatePrivateKey();
const ACCOUNT = privateKeyToAccount(KEY);
const ADDRESS = ACCOUNT.address.toLowerCase() as Address;
const CALL = {
  chainId: 31_337,
  to: `0x${'12'.repeat(20)}` as Address,
  nonce: 7,
  gas: 100_000n,
  data: '0x1234',
  maxFeePerGas: 30n * 10n ** 9n,
  maxPriorityFeePerGas: 10n ** 9n,
} as const;
/** The one of the field's test vectors for version 3 that is derived by PBKDF2. */
const VECTOR = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-keys-'));
});
after(() => rmSync(folder, { recursive: true }));

const otherDigit = (digit: string) => (digit === '0' ? '1' : '0');

function fileOf(content: string): string {
  const path = join(folder, 'keystore.json');
  writeFileSync(path, content);
  return path;
}

describe('CUS-17: a keystore', () => {
  const geth = () =>
    encryptKeystoreJson({ address: ADDRESS, privateKey: KEY }, 'a password', {
      scrypt: { N: 1_024, r: 8, p: 1 },
    });

  test('of either derivation gives the key that was put into it', async () => {
    const scrypt = {
      holder: 'VAULT_OPERATOR',
      kind: 'keystore',
      path: fileOf(await geth()),
      password: 'a password',
    } as const;
    const signed = await (await openKey(scrypt)).sign(CALL);
    assert.equal(signed, await ACCOUNT.signTransaction({ type: 'eip1559', ...CALL }));
    const pbkdf2 = {
      holder: 'VAULT_OPERATOR',
      kind: 'keystore',
      path: fileOf(JSON.stringify(VECTOR)),
      password: 'testpassword',
    } as const;
    assert.equal((await openKey(pbkdf2)).address, '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b');
  });

  test('that is not opened is refused in one line without a secret', async () => {
    const good = await geth();
    const refusals: [string, string, RegExp][] = [
      [
        good,
        'another password',
        /^VENUE_VAULT_OPERATOR_KEYSTORE: VENUE_VAULT_OPERATOR_PASSWORD does not open/,
      ],
      [good.replace(/(?<="mac":")./, otherDigit), 'a password', /does not open/],
      [good.slice(0, -9), 'a password', /is no keystore of version 3$/],
      ['{}', 'a password', /is no keystore of version 3$/],
      ['null', 'a password', /is no keystore of version 3$/],
    ];
    for (const [content, password, message] of refusals)
      await assert.rejects(
        openKey({ holder: 'VAULT_OPERATOR', kind: 'keystore', path: fileOf(content), password }),
        (error: Error) => {
          assert.equal(error.name, 'ConfigError');
          assert.match(error.message, message);
          return !error.message.includes(password) && !error.message.includes(KEY.slice(2));
        },
      );
    const missing = {
      holder: 'VAULT_OPERATOR',
      kind: 'keystore',
      path: join(folder, 'none'),
      password: 'x',
    } as const;
    await assert.rejects(openKey(missing), /none cannot be read by this user \(ENOENT\)$/);
  });
});

describe('CUS-17: a remote signer', () => {
  type Answer = (request: Record<string, Hex>) => Promise<unknown>;
  const signedBy =
    (account: PrivateKeyAccount): Answer =>
    async ({ to, data, gas, nonce, chainId, maxFeePerGas, maxPriorityFeePerGas }) =>
      account.signTransaction({
        type: 'eip1559',
        to: to!,
        data: data!,
        gas: BigInt(gas!),
        nonce: Number(nonce),
        chainId: Number(chainId),
        maxFeePerGas: BigInt(maxFeePerGas!),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas!),
      });
  const honest = signedBy(ACCOUNT);
  let answer = honest;
  let url: string;
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request));
    assert.equal(method, 'eth_signTransaction');
    const result = await answer(params[0]);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const key = () => openKey({ holder: 'VAULT_OPERATOR', kind: 'remote', url, address: ADDRESS });

  test('signs what it is asked to, whether it answers with the bytes or with more', async () => {
    const expected = await ACCOUNT.signTransaction({ type: 'eip1559', ...CALL });
    answer = honest;
    assert.equal(await (await key()).sign(CALL), expected);
    answer = async (request) => ({ raw: await honest(request), tx: { nonce: '0x7' } });
    assert.equal(await (await key()).sign(CALL), expected);
  });

  const changes: [string, Partial<Record<string, Hex>>][] = [
    ['another recipient', { to: `0x${'66'.repeat(20)}` }],
    ['another call', { data: '0x666666' }],
    ['another nonce', { nonce: '0x8' }],
    ['another chain', { chainId: '0x1' }],
    ['a higher fee', { maxFeePerGas: '0xffffffffffff' }],
  ];
  for (const [what, change] of changes)
    test(`that signs ${what} is an alarm`, async () => {
      answer = (request) => honest({ ...request, ...change } as Record<string, Hex>);
      await assert.rejects((await key()).sign(CALL), AlarmError);
    });

  test('that sends money along, or signs with another key, is an alarm', async () => {
    answer = async (request) => {
      const {
        type: _,
        r: _r,
        s: _s,
        v: _v,
        yParity: _y,
        ...rest
      } = parseTransaction((await honest(request)) as Hex);
      return ACCOUNT.signTransaction({ ...rest, type: 'eip1559', value: 1n } as never);
    };
    await assert.rejects((await key()).sign(CALL), AlarmError);
    const other = privateKeyToAccount(generatePrivateKey());
    answer = () => other.signTransaction({ type: 'eip1559', ...CALL });
    await assert.rejects((await key()).sign(CALL), AlarmError);
  });

  test('that answers with anything else has not answered', async () => {
    for (const nonsense of [null, 7, '0x', '0x1234', {}, 'no']) {
      answer = async () => nonsense;
      await assert.rejects((await key()).sign(CALL), ChainError);
    }
  });

  test('and a keystore pay as a key does', async (t) => {
    const { world, alice } = await funded(t);
    const { privateKey, address } = world.operator;
    const path = fileOf(
      await encryptKeystoreJson({ address, privateKey }, 'a password', { scrypt: { N: 1_024, r: 8, p: 1 } }),
    );
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay({
      VENUE_VAULT_OPERATOR_KEY: '',
      VENUE_VAULT_OPERATOR_KEYSTORE: path,
      VENUE_VAULT_OPERATOR_PASSWORD: 'a password',
    });
    await reached(batcher, 'batch-mined');
    await world.confirm();
    await reached(batcher, 'batch-closed');
    await batcher.stop();
    answer = signedBy(privateKeyToAccount(privateKey));
    await alice.venue.withdrawals.request(4);
    const again = world.pay({
      VENUE_VAULT_OPERATOR_KEY: '',
      VENUE_VAULT_OPERATOR_SIGNER: url,
      VENUE_VAULT_OPERATOR_ADDRESS: address,
    });
    await reached(again, 'batch-mined');
    assert.equal(await world.entitlement(alice), 7_000_000n);
  });
});
