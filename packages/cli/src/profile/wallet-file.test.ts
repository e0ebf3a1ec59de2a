import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { randomPrivateKey } from '@venue/sdk';
import { forgetSession, loadSession, storeSession } from './session-file.ts';
import { loadWallet, parsePrivateKey, storeWallet } from './wallet-file.ts';

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

test('a wallet is stored once, and read back', () => {
  assert.throws(() => loadWallet(profile), /profile default has no wallet: run "venue wallet new" or/);
  const address = storeWallet(profile, KEY);
  assert.deepEqual(loadWallet(profile), { address, privateKey: KEY });
  assert.throws(() => storeWallet(profile, randomPrivateKey()), /has a wallet already .*--profile/);
  assert.equal(loadWallet(profile).privateKey, KEY);
});

test('a file whose key and address differ, or that is not JSON, is refused before it signs', () => {
  const text = readFileSync(profile.walletPath, 'utf8');
  for (const broken of [text.replace(KEY, randomPrivateKey()), text.slice(0, -9), '{}']) {
    writeFileSync(profile.walletPath, broken);
    assert.throws(() => loadWallet(profile), /is damaged/);
  }
});

test('a session key is kept for each venue', () => {
  const session = (url: string, digit: string) => ({
    url,
    account: parseAddress(`0x${'1'.repeat(40)}`)!,
    privateKey: KEY,
    sessionKey: parseAddress(`0x${digit.repeat(40)}`)!,
    expiresAtMs: 1,
  });
  storeSession(profile, session('http://a', '2'));
  storeSession(profile, session('http://b', '3'));
  storeSession(profile, session('http://a', '4'));
  assert.equal(loadSession(profile, 'http://a')?.sessionKey, `0x${'4'.repeat(40)}`);
  assert.equal(forgetSession(profile, `0x${'3'.repeat(40)}`), true);
  assert.equal(loadSession(profile, 'http://b'), null);
  assert.equal(forgetSession(profile, `0x${'3'.repeat(40)}`), false);
  writeFileSync(profile.sessionsPath, 'x');
  assert.throws(() => loadSession(profile, 'http://a'), /is damaged: remove it/);
});
