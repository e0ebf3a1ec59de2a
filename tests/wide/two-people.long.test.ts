/** Settlement by hand takes two people: nothing that is deployed or written down brings their secrets together. */

// @seconds 4

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { VenueClient, verifyAudit } from '@venue/sdk/operators';
import { runInProcess } from '../../packages/cli/test/in-process.ts';
import { FEED_TOKEN, MAKER_TOKEN } from '../../packages/exchange/test/support.ts';
import { Launched, SMALL_MARKET } from '../e2e/launched.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Names a secret of settlement itself, as a variable, a file or a header; not its hash. */
const ANY_SECRET = /settle[-_]token/i;

/** The secrets that a text names: 1, 2 or both. Names that a shell puts together count as both. */
function secretsNamed(text: string): number[] {
  const numbered = [1, 2].filter((which) => new RegExp(`settle[-_]token[-_]${which}`, 'i').test(text));
  const isComposed = /settle[-_]token[-_](?![12])/i.test(text);
  return isComposed ? [1, 2] : numbered;
}

const deployed = globSync('deploy/**', { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  // nginx takes the headers of all secrets off every request.
  .filter((path) => path !== 'deploy/nginx/venue/proxy.conf')
  .sort();

test('CUS-10: nothing under deploy/ has a secret of settlement, and the exchange has the hashes', () => {
  assert.ok(deployed.length > 20);
  assert.deepEqual(
    deployed.filter((path) => ANY_SECRET.test(read(path))),
    [],
  );
  for (const which of [1, 2])
    assert.match(read('deploy/docker/compose.yaml'), new RegExp(`VENUE_SETTLE_HASH_${which}:`));
});

test('CUS-10: make-secrets makes no secret of settlement', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-two-people-'));
  try {
    for (const server of [[], ['postgres']]) {
      const made = join(folder, `${server.length}`);
      const { status } = spawnSync(join(ROOT, 'deploy/bin/make-secrets'), [made, ...server]);
      assert.equal(status, 0);
      assert.ok(readdirSync(made).includes('operator-token'));
      assert.deepEqual(
        readdirSync(made).filter((file) => file.includes('settle')),
        [],
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('CUS-10: no command of a page has both secrets, which would bring them to one machine', () => {
  const blocks = globSync('{docs/**/,}*.md', { cwd: ROOT }).flatMap((page) =>
    [...read(page).matchAll(/^ *```[a-z]+\n([\s\S]*?)^ *```$/gm)].map(([, code]) => ({ page, code: code! })),
  );
  const naming = blocks.filter(({ code }) => ANY_SECRET.test(code));
  assert.ok(naming.length >= 4, 'the pages have the commands of both');
  for (const { page, code } of naming) assert.ok(secretsNamed(code).length < 2, `${page}:\n${code}`);
});

test('CUS-10: both secrets together are found, however they are put', () => {
  for (const text of [
    'VENUE_SETTLE_TOKEN_1=a VENUE_SETTLE_TOKEN_2=b venue operator settle',
    'LoadCredential=settle-token-1:x\nLoadCredential=settle-token-2:y',
    'for n in 1 2; do export "VENUE_SETTLE_TOKEN_$n"; done',
  ])
    assert.deepEqual(secretsNamed(text), [1, 2]);
  assert.deepEqual(secretsNamed('VENUE_SETTLE_TOKEN_2_FILE=~/settle-token venue'), [2]);
});

test('OPS-2: operators whom a command has named act by name at a real exchange, through a rotation', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-named-'));
  const file = join(folder, 'secrets', 'operators');
  let exchange: Launched | undefined;
  t.after(() => {
    exchange?.end();
    rmSync(folder, { recursive: true });
  });
  const start = async (): Promise<string> => {
    exchange?.process.kill('SIGTERM');
    if (exchange !== undefined) assert.equal(await exchange.exits(), 0, exchange.output);
    exchange = new Launched(['exchange'], {
      env: {
        ...SMALL_MARKET,
        VENUE_FUNDING_MODE: 'deposits',
        ...{ VENUE_FEED_TOKEN: FEED_TOKEN, VENUE_MAKER_TOKEN: MAKER_TOKEN, VENUE_PORT: '0' },
        ...{ VENUE_DEPOSIT_TOKEN: 'deposit-'.repeat(5), VENUE_PAYOUT_TOKEN: 'payout-'.repeat(5) },
        ...{ VENUE_LOG: `sqlite:${folder}/venue.db`, VENUE_HISTORY: 'off', VENUE_FILES: 'off' },
        VENUE_OPERATORS_FILE: file,
      },
    });
    return (await exchange.says(/exchange listening on (\S+)/))[1]!;
  };
  const operators = (...words: string[]) => runInProcess(['operators', ...words, '--file', file], {});
  const secretOf = async (...words: string[]) => (await operators(...words)).stdout.trim();
  const operator = (url: string, secret: string, ...words: string[]) =>
    runInProcess(['operator', ...words, '--yes'], { VENUE_URL: url, VENUE_OPERATOR_TOKEN: secret });

  const ann = await secretOf('add', 'ann', '--roles', 'operate,settle');
  const cy = await secretOf('add', 'cy', '--roles', 'custody,settle');
  const address = `0x${'ab'.repeat(20)}`;
  let url = await start();
  const freeze = (secret: string) => operator(url, secret, 'freeze', address, '--reason', 'asked');
  const bind = (secret: string) => operator(url, secret, 'bind', '--chain-id', '1', '--vault', address);
  assert.match((await freeze(ann)).stderr, /^venue: unknown account/);
  assert.match((await freeze(cy)).stderr, /^venue: this operator has not the role that it takes/);
  assert.match((await bind(ann)).stdout, /other|second|another/);

  const newer = await secretOf('rotate', 'ann');
  url = await start();
  assert.equal((await bind(newer)).code, 0);
  assert.equal((await new VenueClient({ url }).market.reserves()).vault, null, 'the same person twice');
  assert.match((await freeze(ann)).stderr, /^venue: unknown account/);
  await operators('rotate', 'ann', '--finish');
  url = await start();
  assert.match((await freeze(ann)).stderr, /^venue: wrong credential/);
  assert.equal((await bind(cy)).code, 0);
  const { operator: calls, market } = new VenueClient({ url });
  assert.equal((await market.reserves()).vault, address);

  const entries = await Array.fromAsync(calls.audit(newer));
  const done = entries.map(({ by, action }) => `${by} ${action}`);
  assert.deepEqual(done, [
    'ann freeze-withdrawals',
    'cy overstep',
    'ann bind',
    'ann bind',
    'ann freeze-withdrawals',
    'cy bind',
  ]);
  assert.ok('head' in (await verifyAudit(entries)));
  for (const secret of [ann, newer, cy]) assert.ok(!exchange!.output.includes(secret));
});
