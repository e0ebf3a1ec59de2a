import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { randomPrivateKey } from '@venue/sdk';
import { profileOf } from './profile.ts';
import { forgetSession, loadSession, storeSession } from './session-file.ts';

const home = mkdtempSync(join(tmpdir(), 'venue-sessions-'));
process.env.VENUE_HOME = home;
chmodSync(home, 0o700);
after(() => rmSync(home, { recursive: true }));

const KEY = randomPrivateKey();
const EACH = 25;
/** Stores one key after another, from the end of its input on. */
const PROGRAM = `
const { profileOf } = await import('${new URL('./profile.ts', import.meta.url)}');
const { storeSession } = await import('${new URL('./session-file.ts', import.meta.url)}');
const [name, session] = process.argv.slice(1);
process.stdout.write('ready');
for await (const _ of process.stdin);
for (let i = 0; i < ${EACH}; i++)
  storeSession(profileOf('shared'), { ...JSON.parse(session), url: 'http://' + name + '-' + i });
`;

function sessionOf(url: string, digit: string) {
  return {
    url,
    account: parseAddress(`0x${'1'.repeat(40)}`)!,
    privateKey: KEY,
    sessionKey: parseAddress(`0x${digit.repeat(40)}`)!,
    expiresAtMs: 1,
  };
}

test('a session key is kept for each venue', () => {
  const profile = profileOf('default');
  storeSession(profile, sessionOf('http://a', '2'));
  storeSession(profile, sessionOf('http://b', '3'));
  storeSession(profile, sessionOf('http://a', '4'));
  assert.equal(loadSession(profile, 'http://a')?.sessionKey, `0x${'4'.repeat(40)}`);
  assert.equal(forgetSession(profile, `0x${'3'.repeat(40)}`), true);
  assert.equal(loadSession(profile, 'http://b'), null);
  assert.equal(forgetSession(profile, `0x${'3'.repeat(40)}`), false);
  writeFileSync(profile.sessionsPath, 'x');
  assert.throws(() => loadSession(profile, 'http://a'), /is damaged: remove it/);
});

test('two processes that store at once lose no key', async () => {
  const names = ['one', 'two'];
  const running = names.map((name) =>
    spawn(
      process.execPath,
      ['--input-type=module', '-e', PROGRAM, name, JSON.stringify(sessionOf('', '5'))],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    ),
  );
  await Promise.all(running.map(({ stdout }) => once(stdout, 'data')));
  const ends = running.map((one) => once(one, 'exit'));
  for (const { stdin } of running) stdin.end();
  assert.deepEqual(await Promise.all(ends), [
    [0, null],
    [0, null],
  ]);
  const urls = names.flatMap((name) => Array.from({ length: EACH }, (_, i) => `http://${name}-${i}`));
  const lost = urls.filter((url) => loadSession(profileOf('shared'), url) === null);
  assert.deepEqual(lost, []);
});
