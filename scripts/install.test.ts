/** When and how `scripts/install.mjs` installs. A script stands in for npm and copies packages of a few bytes. */

// @seconds 10

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../tests/e2e/launched.ts';

const INSTALL = fileURLToPath(new URL('install.mjs', import.meta.url));
const NODE = `node_modules/node-${process.platform}-${process.arch}`;
const NOBODY = 65_534;
const NPM = `#!/bin/sh
tree=$(dirname "$(dirname "$0")")/tree
echo "$*" >>"$tree/npm-calls"
[ ! -e "$tree/npm-says" ] || { cat "$tree/npm-says" >&2; rm "$tree/npm-says"; exit 1; }
if mv "$tree/npm-waits" "$tree/npm-waiting" 2>/dev/null; then
  mkdir -p node_modules/a
  while [ -e "$tree/npm-waiting" ]; do sleep 0.05; done
fi
cp -r "$(dirname "$0")"/store/. .
case "$*" in
  install*) rm -r node_modules/tool; name=traced ;;
  *--omit=dev*) rm -r node_modules/tool node_modules/@opentelemetry; name=production ;;
  *) name=full ;;
esac
cp "$(dirname "$0")/$name.json" node_modules/.package-lock.json
`;

/** A lock file's request, with version `a` of one of the packages. */
function lockOf(a: string) {
  return {
    'node_modules/@venue/p': { resolved: 'packages/p', link: true },
    [NODE]: { version: '1.0.0', optional: true },
    'node_modules/a': { version: a },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/@opentelemetry/api': { version: '1.9.1', dev: true },
    'node_modules/of-another-platform': { version: '1.0.0', optional: true },
    'packages/p/node_modules/b': { version: '1.0.0' },
  };
}

/** A repository of one workspace, a registry beside it, and nothing installed. */
class Repository implements Disposable {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'venue-install-')));
  readonly tree = join(this.#folder, 'tree');

  constructor() {
    chmodSync(this.#folder, 0o755);
    this.publish('1.0.0');
    this.write('../npm/npm', NPM);
    chmodSync(join(this.#folder, 'npm/npm'), 0o755);
    this.write('package.json', '{}');
    this.write('packages/p/package.json', '{}');
    this.write(`../npm/store/${NODE}/include/node.h`, '');
    for (const form of ['_cjs', '_esm']) this.write(`../npm/store/node_modules/viem/${form}/index.js`, '');
    const node = join(this.#folder, 'npm/store', NODE, 'bin/node');
    mkdirSync(dirname(node));
    copyFileSync('/bin/sleep', node);
    for (const name of ['node_modules/tool', 'node_modules/@opentelemetry/api', 'packages/p/node_modules/b'])
      this.write(`../npm/store/${name}/package.json`, '{}');
  }

  /** A release that needs this version of the package `a`. */
  publish(a: string): void {
    const lock = lockOf(a);
    const { 'node_modules/of-another-platform': _, ...full } = lock;
    const { 'node_modules/tool': __, ...traced } = full;
    const { 'node_modules/@opentelemetry/api': ___, ...production } = traced;
    this.write('package-lock.json', JSON.stringify({ packages: lock }));
    this.write('../npm/full.json', JSON.stringify({ packages: full }));
    this.write('../npm/traced.json', JSON.stringify({ packages: traced }));
    this.write('../npm/production.json', JSON.stringify({ packages: production }));
    this.write('../npm/store/node_modules/a/index.js', a);
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.tree, path)), { recursive: true });
    writeFileSync(join(this.tree, path), content);
  }

  has(path: string): boolean {
    return existsSync(join(this.tree, path));
  }

  /** The version that a process that runs from the tree would load. */
  get a(): string {
    return readFileSync(join(this.tree, 'node_modules/a/index.js'), 'utf8');
  }

  /** The calls of npm since this was asked last. */
  npmCalls(): string[] {
    const path = join(this.tree, 'npm-calls');
    const calls = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    rmSync(path, { force: true });
    return calls;
  }

  start(...args: string[]) {
    const env = { ...process.env, PATH: `${join(this.#folder, 'npm')}:${process.env.PATH}` };
    return spawn(process.execPath, [INSTALL, ...args], { cwd: this.tree, env, stdio: 'ignore' });
  }

  install(args: readonly string[] = [], { uid, preload = '' }: { uid?: number; preload?: string } = {}) {
    const env = { ...process.env, PATH: `${join(this.#folder, 'npm')}:${process.env.PATH}` };
    const words = [`--import=data:text/javascript,${preload}`, INSTALL, ...args];
    const { status, stderr } = spawnSync(process.execPath, words, {
      cwd: this.tree,
      env,
      encoding: 'utf8',
      ...(uid !== undefined && { uid, gid: uid }),
    });
    return { status, lines: stderr.trimEnd().split('\n') };
  }

  stages(): string[] {
    return readdirSync(this.tree).filter((name) => name.startsWith('.install'));
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function isWholeForRunning(repository: Repository): boolean {
  const links = ['node_modules/.bin/node', 'node_modules/a', 'packages/p/node_modules/b'];
  return links.every((path) => repository.has(path)) && repository.stages().length === 0;
}

test('CFG-6: for running no tools are installed, nor headers and forms that nothing loads; then nothing is left to do', () => {
  using repository = new Repository();
  assert.equal(repository.install(['--production']).status, 0);
  assert.ok(isWholeForRunning(repository));
  const left = ['node_modules/tool', `${NODE}/include`, 'node_modules/viem/_cjs', 'node_modules/viem/_esm'];
  assert.deepEqual(
    left.map((path) => repository.has(path)),
    [false, false, false, true],
  );
  assert.equal(repository.npmCalls().length, 1);
  assert.deepEqual(repository.install(['--production']), { status: 0, lines: [''] });
  assert.deepEqual(repository.npmCalls(), []);
});

test('CFG-6: what traces need comes when it is asked for, and stays', () => {
  using repository = new Repository();
  const hasTracing = () => repository.has('node_modules/@opentelemetry/api');
  repository.install(['--production']);
  assert.ok(!hasTracing());
  assert.equal(repository.install(['--production', '--tracing']).status, 0);
  assert.ok(isWholeForRunning(repository) && hasTracing() && !repository.has('node_modules/tool'));
  assert.match(repository.npmCalls().at(-1)!, /^install .*--omit=dev --no-save @opentelemetry\/api@1\.9\.1/);
  for (const args of [['--production', '--tracing'], ['--production']])
    assert.deepEqual(repository.install(args), { status: 0, lines: [''] });
  assert.deepEqual([repository.npmCalls(), hasTracing()], [[], true]);
});

test('CFG-6: npm runs no script of a package, and tools come even where the environment leaves them out', () => {
  using repository = new Repository();
  repository.install();
  assert.ok(repository.has('node_modules/tool') && repository.has('node_modules/viem/_cjs'));
  assert.match(repository.npmCalls()[0]!, /^ci --ignore-scripts .*--include=dev/);
});

test('CFG-6: tools come beside a running process; another version only after its end', async () => {
  using repository = new Repository();
  repository.install(['--production']);
  const running = spawn(join(repository.tree, 'node_modules/.bin/node'), ['60']);
  try {
    await once(running, 'spawn');
    assert.equal(repository.install().status, 0);
    assert.ok(isWholeForRunning(repository) && repository.has('node_modules/tool'));
    repository.publish('2.0.0');
    repository.npmCalls();
    const { status, lines } = repository.install(['--production']);
    assert.equal(status, 1);
    assert.deepEqual(lines, [
      `venue: node_modules is not what package-lock.json asks for, and process ${running.pid} runs from it: stop it first`,
    ]);
    assert.deepEqual([repository.a, repository.npmCalls()], ['1.0.0', []]);
  } finally {
    running.kill();
  }
  await once(running, 'exit');
  assert.equal(repository.install(['--production']).status, 0);
  assert.equal(repository.a, '2.0.0');
});

test('CFG-6: an installation that was killed leaves the tree as it was, and the next one clears up', async () => {
  using repository = new Repository();
  repository.install(['--production']);
  repository.publish('2.0.0');
  repository.write('npm-waits', '');
  const killed = repository.start('--production');
  await eventually('npm is at work', () => repository.has('npm-waiting') || undefined);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  assert.equal(repository.a, '1.0.0');
  assert.equal(repository.install(['--production']).status, 0);
  rmSync(join(repository.tree, 'npm-waiting'));
  assert.ok(isWholeForRunning(repository));
  assert.equal(repository.a, '2.0.0');
});

test('CFG-6: a tree that npm itself was emptying is filled again', () => {
  using repository = new Repository();
  repository.install(['--production']);
  rmSync(join(repository.tree, 'node_modules/.package-lock.json'));
  rmSync(join(repository.tree, 'node_modules/a'), { recursive: true });
  assert.equal(repository.install(['--production']).status, 0);
  assert.ok(isWholeForRunning(repository));
});

test('CFG-6: several that start at once all end well', async () => {
  using repository = new Repository();
  const starts = [['--production'], ['--production'], [], []].map((args) => repository.start(...args));
  const codes = await Promise.all(starts.map(async (start) => (await once(start, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0, 0]);
  assert.ok(isWholeForRunning(repository));
  assert.equal(repository.install().status, 0);
  assert.ok(repository.has('node_modules/tool'));
});

test('CFG-6: who is done later leaves the tree as the faster one made it', async () => {
  using repository = new Repository();
  repository.write('npm-waits', '');
  const slower = repository.start('--production');
  await eventually('npm is at work', () => repository.has('npm-waiting') || undefined);
  assert.equal(repository.install().status, 0);
  rmSync(join(repository.tree, 'npm-waiting'));
  assert.deepEqual((await once(slower, 'exit'))[0], 0);
  assert.ok(isWholeForRunning(repository) && repository.has('node_modules/tool'));
});

test('CFG-6: the link that npm 9 leaves out is made', () => {
  using repository = new Repository();
  repository.install(['--production']);
  rmSync(join(repository.tree, 'node_modules/.bin/node'));
  repository.npmCalls();
  assert.deepEqual(repository.install(['--production']), { status: 0, lines: [''] });
  assert.deepEqual([repository.npmCalls(), isWholeForRunning(repository)], [[], true]);
});

test('CFG-6: what npm keeps is taken without the network, unless it knows nothing of a version', () => {
  using repository = new Repository();
  repository.write('npm-says', 'npm ERR! code ETARGET\n');
  assert.equal(repository.install(['--production']).status, 0);
  assert.deepEqual(
    repository.npmCalls().map((call) => call.includes('--prefer-offline')),
    [true, false],
  );
});

const FAILURES: Readonly<Record<string, string>> = {
  'npm ERR! code ENOSPC\nnpm ERR! nospc ENOSPC: no space left on device\n': 'the disk is full',
  'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device\n': 'the disk is full',
  'npm error code EAI_AGAIN\n': 'the registry cannot be reached',
};
for (const [said, cause] of Object.entries(FAILURES)) {
  test(`CFG-6: "${said.split('\n')[0]}" is one line on why, and the tree stays`, () => {
    using repository = new Repository();
    repository.install(['--production']);
    repository.publish('2.0.0');
    repository.write('npm-says', said);
    const { status, lines } = repository.install(['--production']);
    assert.equal(status, 1);
    assert.deepEqual(lines.slice(1), [`venue: installing failed: ${cause}`]);
    assert.deepEqual([repository.a, repository.stages()], ['1.0.0', []]);
  });
}

test('CFG-6: in a tree of somebody else nothing is installed', { skip: userInfo().uid !== 0 }, () => {
  using repository = new Repository();
  repository.install(['--production']);
  assert.deepEqual(repository.install(['--production'], { uid: NOBODY }), { status: 0, lines: [''] });
  repository.publish('2.0.0');
  const { status, lines } = repository.install(['--production'], { uid: NOBODY });
  assert.equal(status, 1);
  assert.deepEqual(lines, [`venue: installing failed: this user may not write in ${repository.tree}`]);
});

const MACHINES: Readonly<Record<string, readonly [preload: string, line: RegExp]>> = {
  'of an architecture without a pinned Node': [
    "Object.defineProperty(process,'arch',{value:'s390x'})",
    /^venue: there is no pinned Node for \w+ on s390x/,
  ],
  'with too old a Node': [
    "Object.defineProperty(process.versions,'node',{value:'18.20.0'})",
    /^venue: Node 20 or later is needed to install/,
  ],
};
for (const [name, [preload, line]] of Object.entries(MACHINES)) {
  test(`CFG-6: a machine ${name} is told so in one line`, () => {
    using repository = new Repository();
    const { status, lines } = repository.install([], { preload });
    assert.deepEqual([status, lines.length, repository.npmCalls()], [1, 1, []]);
    assert.match(lines[0]!, line);
  });
}

test('CFG-6: a pinned Node that does not run here is not put into place', () => {
  using repository = new Repository();
  repository.write(
    `../npm/store/${NODE}/bin/node`,
    '#!/bin/sh\necho "libatomic.so.1 is missing" >&2\nexit 127\n',
  );
  const { status, lines } = repository.install(['--production']);
  assert.equal(status, 1);
  assert.equal(
    lines.at(-1),
    'venue: the pinned Node does not run on this machine: libatomic.so.1 is missing',
  );
  assert.ok(!repository.has('node_modules'));
});
