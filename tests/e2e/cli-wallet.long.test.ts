/** An encrypted wallet with the real command: who is asked for its password, and what works without it. */

// @process cli-alone
// @seconds 15

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Account } from '@venue/protocol';
import { decryptKeystoreJson } from 'ethers';
import { runInProcess } from '../../packages/cli/test/in-process.ts';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { run, runOnTerminal } from './cli-command.ts';

const PASSWORD = 'correct horse battery staple';
const folder = mkdtempSync(join(tmpdir(), 'venue-wallet-'));
const passwordFile = join(folder, 'password');
const walletPath = join(folder, 'home', 'default', 'wallet.json');
let venue: LocalVenue;
let env: Record<string, string>;

before(async () => {
  venue = await pricedVenue();
  env = { VENUE_URL: venue.url, VENUE_HOME: join(folder, 'home') };
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
});

after(async () => {
  await venue?.exchange.stop();
  rmSync(folder, { recursive: true });
});

const command = (words: string, more: Record<string, string> = {}) =>
  runInProcess(words.split(' '), { ...env, ...more });
const withFile = (words: string) => command(words, { VENUE_WALLET_PASSWORD_FILE: passwordFile });
const typed = (words: string, ...answers: string[]) =>
  runOnTerminal(words.split(' '), { env, columns: 120, typed: answers });

test('a wallet is put under a password that is asked for twice and never shown', async () => {
  const { stdout: key } = await command('wallet new').then(() => command('wallet export --yes'));
  const differing = await typed('wallet encrypt', `${PASSWORD}\n`, 'another\n');
  assert.equal(differing.code, 1);
  assert.match(differing.stdout, /the two passwords differ: nothing was written/);
  assert.ok(readFileSync(walletPath, 'utf8').includes(key.trim()));
  const { code, stdout } = await typed('wallet encrypt', `${PASSWORD}\n`, `${PASSWORD}\n`);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /encrypted\S* +yes\r$/m);
  assert.ok(!stdout.includes(PASSWORD));
  assert.ok(!readFileSync(walletPath, 'utf8').includes(key.trim().slice(2)));
  assert.equal((await withFile('wallet export --yes')).stdout, key);
  const elsewhere = await decryptKeystoreJson(readFileSync(walletPath, 'utf8'), PASSWORD);
  assert.equal(elsewhere.privateKey, key.trim(), 'other programs open the keystore');
});

test('without a terminal the password comes from a file, and a wrong one opens nothing', async () => {
  const unasked = await command('session approve --json');
  assert.deepEqual([unasked.code, unasked.stdout], [1, '']);
  assert.match(JSON.parse(unasked.stderr).error, /no terminal .* VENUE_WALLET_PASSWORD_FILE$/);
  const wrong = await command('session approve', { VENUE_WALLET_PASSWORD: 'wrong' });
  assert.deepEqual([wrong.code, wrong.stderr], [1, `venue: the password does not open ${walletPath}\n`]);
  const approved = await withFile('session approve');
  assert.equal(approved.code, 0, approved.stderr);
});

test('what the session key signs and reads asks for no password', async () => {
  const account = await command('account --json');
  assert.equal(account.code, 0, account.stderr);
  const { address, marginEnabled } = JSON.parse(account.stdout) as Account;
  const stored = `0x${JSON.parse(readFileSync(walletPath, 'utf8')).address}`;
  assert.deepEqual([address, marginEnabled], [stored, false]);
  assert.equal((await command('margin on')).stdout, 'margin is on\n');
});

test('a new or imported wallet can be encrypted from the start', async () => {
  const made = await withFile('wallet new --encrypted --profile made --json');
  assert.equal(JSON.parse(made.stdout).encrypted, true, made.stderr);
  const key = `0x${'11'.repeat(32)}`;
  const options = { env: { ...env, VENUE_WALLET_PASSWORD: PASSWORD }, input: key };
  const imported = await run(['wallet', 'import', '--encrypted', '--profile', 'taken'], options);
  assert.match(imported.stdout, /^address +0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a$/m);
  assert.ok(!readFileSync(join(folder, 'home/taken/wallet.json'), 'utf8').includes('11'.repeat(32)));
  assert.equal((await withFile('wallet export --yes --profile taken')).stdout, `${key}\n`);
});
