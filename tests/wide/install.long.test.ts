/** `scripts/install.mjs` with the real packages. */

// @seconds 15

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort, Launched } from '../e2e/launched.ts';
import { mount, skipBecause, untilUnmounted, whyNoMount } from '../faults/machine.ts';
import { copyInto, install, MB_MAX, megabytes, PATH, ROOT } from './installed-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-installed-'));
after(() => rmSync(folder, { recursive: true }));
before(() => copyInto(folder));

/**
 * Installs what the lockfile names, from this repository: to fetch and unpack it again takes longer than all the rest here.
 * That npm itself brings the same, `install.nightly.test.ts` holds.
 */
const NPM = `
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const isWanted = ([path, { dev, devOptional }]) =>
  path.includes('node_modules/') &&
  existsSync(join(process.env.FROM, path)) &&
  !(process.argv.includes('--omit=dev') && (dev || devOptional));
const wanted = Object.entries(lock.packages).filter(isWanted);
// A folder brings the packages in it along.
const folders = wanted.map(([path]) => path).filter((path) => path.split('node_modules/').length === 2);
const copied = (how) =>
  spawnSync('cp', [how, '--parents', ...folders, process.cwd()], { cwd: process.env.FROM }).status === 0;
if (!copied('-al') && !copied('-a')) process.exit(1);
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }));
`;

/** A folder with an npm that takes everything from here. */
function npmFromHere(): string {
  const bin = join(folder, 'npm');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm.mjs'), NPM);
  const script = `#!/bin/sh\nFROM=${ROOT} exec ${process.execPath} ${join(bin, 'npm.mjs')} "$@"\n`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
  return bin;
}

test('CFG-6: what running needs is half of everything, and an exchange serves from it while the tools come', async (t) => {
  const path = `${npmFromHere()}${delimiter}${PATH}`;
  assert.equal(install(folder, ['--production'], path).status, 0);
  t.diagnostic(`${megabytes(folder)} MB`);
  assert.ok(megabytes(folder) < MB_MAX);
  const tools = ['typescript-dev', '@foundry-rs', '@biomejs', 'playwright-core'];
  const has = () => tools.map((name) => existsSync(join(folder, 'node_modules', name)));
  assert.deepEqual(has(), [false, false, false, false]);

  const port = String(await freePort());
  const runtime = join(folder, 'node_modules/.bin/node');
  const env = {
    VENUE_PORT: port,
    VENUE_LOG: `sqlite:${folder}/venue.db`,
    VENUE_HISTORY: 'off',
    VENUE_TERMINAL: 'off',
  };
  const exchange = new Launched(['exchange'], { env, release: folder, runtime });
  try {
    await exchange.says(/:\d+/);
    assert.equal(install(folder, [], path).status, 0);
    assert.deepEqual(has(), [true, true, true, true]);
    // Its page, which it reads out of a package when it is asked first.
    assert.equal((await fetch(`http://127.0.0.1:${port}/docs`)).status, 200);
    exchange.process.kill('SIGTERM');
    assert.equal(await exchange.exits(), 0);
  } finally {
    exchange.end();
  }
});

test('CFG-6: too small a disk is one line, and is left as it was', {
  skip: skipBecause(whyNoMount()),
}, async () => {
  const disk = mount('-t', 'tmpfs', '-o', 'size=60m', 'tmpfs');
  try {
    copyInto(disk.folder);
    const { status, stderr } = install(disk.folder, ['--production']);
    assert.equal(status, 1);
    assert.match(stderr, /^venue: installing takes 600 MB, and \d+ MB are free on this disk\n$/);
    assert.ok(!existsSync(join(disk.folder, 'node_modules')));
  } finally {
    await untilUnmounted(disk);
  }
});

test('CFG-6: what a killed installation left stops no other, even if it cannot be removed yet', {
  skip: skipBecause(whyNoMount()),
}, async () => {
  const tree = mkdtempSync(join(folder, 'killed-'));
  copyInto(tree);
  const bin = mkdtempSync(join(folder, 'npm-'));
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho npm error code ENOTFOUND >&2\nexit 1\n', { mode: 0o755 });
  const { pid } = spawnSync('true');
  const left = join(tree, `.install-${pid}`, 'node_modules');
  mkdirSync(left, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', left]);
  try {
    const { stderr } = install(tree, ['--production'], `${bin}${delimiter}${PATH}`);
    assert.match(stderr, /\nvenue: installing failed: the registry cannot be reached\n$/);
  } finally {
    execFileSync('umount', [left]);
  }
});
