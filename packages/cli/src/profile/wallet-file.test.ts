import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { randomPrivateKey, walletFromPrivateKey } from '@venue/sdk';
import { encryptKeystoreJson } from 'ethers';
import { encryptWallet, loadWallet, parsePrivateKey, storeWallet } from './wallet-file.ts';

const home = mkdtempSync(join(tmpdir(), 'venue-home-'));
process.env.VENUE_HOME = home;
chmodSync(home, 0o700);
after(() => rmSync(home, { recursive: true }));

const profile = {
  name: 'default',
  walletPath: join(home, 'default', 'wallet.json'),
  sessionsPath: join(home, 'default', 'sessions.json'),
};
const KEY = randomPrivateKey();

test('a key is 64 hex digits that are valid on the curve', () => {
  assert.equal(parsePrivateKey(` ${KEY.slice(2).toUpperCase()}\n`), KEY);
  for (const text of ['', '0x12', `${KEY}0`, `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`])
    assert.equal(parsePrivateKey(text), null, text);
});

const noPassword = () => assert.fail('a wallet in clear needs no password');

test('a wallet is stored once, and read back', async () => {
  assert.throws(() => loadWallet(profile), /profile default has no wallet: run "venue wallet new" or/);
  const address = await storeWallet(profile, KEY);
  const wallet = loadWallet(profile);
  assert.deepEqual([wallet.address, wallet.isEncrypted], [address, false]);
  assert.equal(await wallet.openKey(noPassword), KEY);
  await assert.rejects(storeWallet(profile, randomPrivateKey()), /has a wallet already .*--profile/);
  assert.equal(await loadWallet(profile).openKey(noPassword), KEY);
});

test('a file whose key and address differ, or that is not JSON, is refused before it signs', () => {
  const text = readFileSync(profile.walletPath, 'utf8');
  for (const broken of [text.replace(KEY, randomPrivateKey()), text.slice(0, -9), '{}', '{"version":3}']) {
    writeFileSync(profile.walletPath, broken);
    assert.throws(() => loadWallet(profile), /is damaged/);
  }
  writeFileSync(profile.walletPath, text);
});

test('an encrypted wallet holds no key in clear, and its password opens it', async () => {
  const address = await encryptWallet(profile, async () => 'correct horse');
  const text = readFileSync(profile.walletPath, 'utf8');
  assert.ok(!text.includes(KEY.slice(2)));
  assert.equal(statSync(profile.walletPath).mode & 0o777, 0o600);
  const wallet = loadWallet(profile);
  assert.deepEqual([wallet.address, wallet.isEncrypted], [address, true]);
  assert.equal(await wallet.openKey(async () => 'correct horse'), KEY);
  await assert.rejects(
    encryptWallet(profile, () => assert.fail('nobody is asked in vain')),
    /is encrypted already/,
  );
});

test('a keystore of another program is opened, and only with its password', async () => {
  const privateKey = randomPrivateKey();
  const { address } = walletFromPrivateKey(privateKey);
  const options = { scrypt: { N: 1_024, r: 8, p: 1 } };
  writeFileSync(profile.walletPath, await encryptKeystoreJson({ address, privateKey }, 'any', options));
  assert.equal(loadWallet(profile).address, address);
  const { openKey } = loadWallet(profile);
  assert.equal(await openKey(async () => 'any'), privateKey);
  await assert.rejects(
    openKey(async () => 'wrong'),
    /^CommandError: the password does not open \S+wallet\.json$/,
  );
});

test('a keystore that names the address of another key is refused', async () => {
  const text = readFileSync(profile.walletPath, 'utf8');
  const { address } = JSON.parse(text);
  writeFileSync(profile.walletPath, text.replace(address, '1'.repeat(40)));
  assert.equal(loadWallet(profile).address, `0x${'1'.repeat(40)}`);
  await assert.rejects(
    loadWallet(profile).openKey(async () => 'any'),
    /does not open/,
  );
});
