/** `--check` as run by a unit or a pipeline: before a start, beside a running node, and with faults. */

// @seconds 12

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { openLog } from '@venue/log';

const MAIN = resolve('packages/cli/src/main.ts');
/** The part of the environment that speeds up a start: compiled code, joined packages. */
const INHERITED = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_OPTIONS: process.env.NODE_OPTIONS,
};
const folder = mkdtempSync(join(tmpdir(), 'venue-check-'));
after(() => rmSync(folder, { recursive: true }));

function check(process_: string, env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, process_, '--check'], {
    env: { ...INHERITED, VENUE_TERMINAL: 'off', ...env },
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('CFG-4: a new node passes, and the check creates nothing', () => {
  const { status, lines } = check('exchange', { VENUE_LOG: `sqlite:${folder}/new/venue.db` });
  assert.equal(status, 0);
  assert.match(lines[0]!, /^ok {4}\d+ variables, 2 of them set$/);
  assert.deepEqual(lines.slice(1), [
    'ok    paper mode, 0 of 8 secrets set',
    'ok    prices may be simulated',
    `ok    log sqlite:${folder}/new/venue.db is not there yet and would be made`,
  ]);
  assert.ok(!existsSync(join(folder, 'new')));
});

test('CFG-4: where traces are wanted, exchange and follower say whether their packages are there', () => {
  const traced = {
    VENUE_TRACE_URL: 'http://127.0.0.1:4318/v1/traces',
    VENUE_LOG: `sqlite:${folder}/new/venue.db`,
  };
  const processes = { exchange: {}, follower: { VENUE_NODE_URL: 'http://127.0.0.1:1' } };
  for (const [name, env] of Object.entries(processes)) {
    const { lines } = check(name, { ...traced, ...env });
    assert.ok(lines.includes('ok    traces can be sent'), lines.join('\n'));
  }
});

test('CFG-4: all faults are reported together, without secrets', () => {
  writeFileSync(join(folder, 'secret'), 'two words\n', { mode: 0o600 });
  const { status, lines } = check('exchange', {
    VENUE_PORT: 'abc',
    VENUE_PROT: '1',
    VENUE_OPERATOR_TOKEN_FILE: join(folder, 'secret'),
  });
  assert.equal(status, 1);
  assert.deepEqual(lines, [
    'wrong VENUE_PORT must be an integer from 0 to 65535, not "abc"',
    'wrong VENUE_OPERATOR_TOKEN must be ASCII without spaces',
    'wrong VENUE_PROT is unknown; did you mean VENUE_PORT?',
  ]);
});

test('CFG-4: a mistyped folder is found by the check and by the start, and not created', () => {
  const env = { VENUE_LOG: `sqlite:${folder}/mistyped/data/venue.db`, VENUE_HISTORY: 'off' };
  const { status, lines } = check('exchange', env);
  assert.equal(status, 1);
  assert.equal(
    lines.at(-1),
    `wrong log sqlite:${folder}/mistyped/data/venue.db: the folder ${folder}/mistyped is not there`,
  );
  const started = spawnSync(process.execPath, [MAIN, 'exchange'], {
    env: { ...INHERITED, VENUE_TERMINAL: 'off', VENUE_PORT: '0', ...env },
    encoding: 'utf8',
  });
  assert.equal(started.status, 1);
  assert.match(
    started.stderr,
    /^venue: the folder .*\/mistyped is not there, and of the path of a log only the last folder is made; make it, or correct VENUE_LOG\n$/,
  );
  assert.ok(!existsSync(join(folder, 'mistyped')));
});

test('CFG-4: the log of a running node is read beside it, and a log of the other mode or an invalid file is refused', async (t) => {
  const place = join(folder, 'running');
  mkdirSync(place);
  const log = await openLog(`sqlite:${place}/venue.db`);
  t.after(() => log.close());
  await log.writeStamp(
    new Map([
      ['format', '3'],
      ['fundingMode', 'paper'],
      ['marginPremium', 'mark'],
    ]),
  );
  await log.append([{ kind: 'tick', body: Buffer.from('{}') }]);
  const files = readdirSync(place).sort();
  const env = { VENUE_LOG: `sqlite:${place}/venue.db` };
  const sound = check('exchange', env);
  assert.deepEqual(
    [sound.status, sound.lines.at(-1)],
    [0, `ok    log sqlite:${place}/venue.db can be read; its last entry is 1`],
  );
  const other = check('exchange', { ...env, VENUE_MARGIN_PREMIUM: 'intrinsic' });
  assert.equal(other.status, 1);
  assert.match(
    other.lines.at(-1)!,
    /^wrong log .*: it was made with marginPremium mark, and the environment says intrinsic$/,
  );
  await log.append([{ kind: 'tick', body: Buffer.from('{}') }]);
  assert.deepEqual(readdirSync(place).sort(), files, 'neither lock nor file was left');
  writeFileSync(join(place, 'none.db'), 'no database, but long enough to be looked at as one'.repeat(100));
  const none = check('exchange', { VENUE_LOG: `sqlite:${place}/none.db` });
  assert.equal(none.status, 1);
  assert.match(none.lines.at(-1)!, /^wrong log sqlite:[^\n]*none\.db: /);
});

test('CFG-4: every client reports what it lacks', () => {
  for (const [client, line] of [
    ['feed', /^wrong VENUE_FEED_TOKEN is not set: /],
    ['maker', /^wrong VENUE_MAKER_TOKEN is not set, nor is VENUE_MAKER_KEY: /],
    ['watcher', /^wrong VENUE_CHAIN_ID is not set: /],
    ['batcher', /^wrong VENUE_CHAIN_ID is not set: /],
  ] as const) {
    const { status, lines } = check(client, {});
    assert.equal(status, 1);
    assert.match(lines[0]!, line);
  }
  const { status, lines } = check('maker', { VENUE_MAKER_TOKEN: 'm', VENUE_MAKER_SURFACE: '/nowhere.json' });
  assert.deepEqual([status, lines], [1, ['wrong VENUE_MAKER_SURFACE: /nowhere.json: cannot be read']]);
  assert.equal(check('feed', { VENUE_FEED_TOKEN: 'f' }).status, 0);
});
