import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  ExpiringVenue,
  OPERATOR_TOKEN,
  SETTLE_TOKEN_1,
  SETTLE_TOKEN_2,
} from '../../../exchange/test/expiring.ts';
import { runInProcess } from '../../test/in-process.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const ALICE = { VENUE_SETTLE_TOKEN_1: SETTLE_TOKEN_1 };
const BOB = { VENUE_SETTLE_TOKEN_2: SETTLE_TOKEN_2 };

let expiring: ExpiringVenue;
const folder = mkdtempSync(join(tmpdir(), 'venue-settle-'));
before(async () => {
  expiring = await ExpiringVenue.start({ VENUE_FUNDING_MODE: 'deposits' });
  await expiring.expireAt({ a: 101_000 });
});
after(async () => {
  rmSync(folder, { recursive: true });
  await expiring.stop();
});

function operator(words: string[], env: Record<string, string>) {
  return runInProcess(['operator', ...words], { VENUE_URL: expiring.venue.url, ...env });
}

const target = () => ['--symbol', 'btc', '--expiry', `${expiring.expiryTs}`, '--price', '100500'];

test('CUS-10: one person proposes, and is shown what would happen and what to tell the other', async () => {
  const { code, stdout } = await operator(['settle', 'propose', ...target(), '--yes'], ALICE);
  assert.equal(code, 0);
  const [first, second, ...rest] = stdout.trimEnd().split('\n');
  const [, id] = /^proposal (\d+): BTC \d+ \(.*\) at 100500$/.exec(first!)!;
  assert.match(second!, /^anchor 100,?500\.00 USD, deviation 0 bps, bound 100 bps; it would settle$/);
  assert.deepEqual(
    rest.slice(0, -2),
    expiring.all().map((seriesId) => `  ${seriesId}`),
  );
  assert.match(rest.at(-2)!, /^until .* UTC the second operator may confirm it:$/);
  assert.equal(
    rest.at(-1),
    `  venue operator settle confirm --id ${id} --symbol btc --expiry ${expiring.expiryTs} --price 100500`,
  );
});

test('CUS-10: the other confirms with the words that the first was told', async () => {
  const { stdout } = await operator(['settle', 'propose', ...target(), '--yes'], BOB);
  const words = stdout.trimEnd().split('\n').at(-1)!.trim().split(' ').slice(2);
  const own = await operator([...words, '--yes'], BOB);
  assert.deepEqual([own.code, own.stderr], [1, 'venue: the other secret has to confirm\n']);
  const { code, stdout: settled } = await operator([...words, '--yes'], ALICE);
  assert.equal(code, 0);
  assert.match(settled, /^settled BTC \d+ \(.*\) at 100500\n( {2}BTC-\S+\n){10}$/);
  const audit = await operator(['audit'], { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN });
  assert.match(audit.stdout, /^ {2}proposed with secret 2, proposal \d+$/m);
  assert.match(audit.stdout, /^ {2}confirmed with secret 2, proposal \d+$/m);
  assert.match(audit.stdout, /^ {2}confirmed with secret 1, proposal \d+$/m);
  const verified = await operator(['audit', '--verify'], { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN });
  assert.match(verified.stdout, /^audit: 4 entries, chain intact, /);
});

test('CUS-10: with real money neither is sent without a yes', async () => {
  for (const words of [['propose'], ['confirm', '--id', '1']]) {
    const { code, stdout, stderr } = await operator(['settle', ...words, ...target()], ALICE);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /holds real money and there is no terminal .*add --yes/);
  }
  assert.equal((await expiring.audit()).length, 4);
});

test('CUS-10: a failure is one line', async () => {
  for (const [words, env, message, exitCode = 1] of [
    [['propose', ...target()], {}, /^venue: neither VENUE_SETTLE_TOKEN_1 nor VENUE_SETTLE_TOKEN_2 is set/],
    [['propose', ...target()], { ...ALICE, ...BOB }, /^venue: .* are both set: two people settle/],
    [['confirm', ...target()], BOB, /required option '--id <number>' not specified/, 2],
    [['confirm', '--id', '0', ...target()], BOB, /It must be the number of a proposal/, 2],
    [['confirm', '--id', '99999', ...target(), '--yes'], BOB, /^venue: no such proposal, or it has ended\n$/],
    [['propose', '--symbol', 'BTC', '--expiry', '1'], BOB, /^venue: settle needs --price\n$/, 2],
    [['propse', ...target()], BOB, /^venue: /, 2],
  ] as const) {
    const { code, stdout, stderr } = await operator(['settle', ...words], env);
    assert.match(stderr, message);
    assert.deepEqual([code, stdout], [exitCode, ''], words.join(' '));
  }
});

test('CUS-10: the hash of a secret is printed, from a file or standard input, and a weak one refused', async () => {
  const file = join(folder, 'settle-token');
  writeFileSync(file, `${SETTLE_TOKEN_1}\n`, { mode: 0o600 });
  const printed = `${createHash('sha256').update(SETTLE_TOKEN_1).digest('hex')}\n`;
  const { code, stdout, stderr } = await operator(['settle-hash', file], {});
  assert.deepEqual([code, stdout, stderr], [0, printed, '']);
  const piped = (input: string) =>
    spawnSync(process.execPath, [MAIN, 'operator', 'settle-hash'], { input, encoding: 'utf8' });
  assert.equal(piped(SETTLE_TOKEN_1).stdout, printed);
  const weak = piped('hunter2\n');
  assert.deepEqual([weak.status, weak.stdout], [1, '']);
  assert.match(
    weak.stderr,
    /^venue: the secret must have at least 32 characters: openssl rand -hex 32 makes one\n$/,
  );
  assert.match(piped(`${'two words '.repeat(8)}\n`).stderr, /ASCII without spaces\n$/);
  assert.match(
    (await operator(['settle-hash', '/nowhere/x'], {})).stderr,
    /cannot be read by this user \(ENOENT\)/,
  );
});
