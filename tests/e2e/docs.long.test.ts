/** The documentation's commands: run on a real market where possible, otherwise checked against the code. */

// @seconds 22

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { program } from '../../packages/cli/src/program.ts';
import { Launched, newestSnapshot, QUOTES_STAND, SMALL_MARKET } from './launched.ts';
import {
  blocksOf,
  commandsOf,
  documents,
  ROOT,
  type ShellBlock,
  shellBlocks,
  wordsOf,
} from './shell-blocks.ts';

const blocks = shellBlocks();
const run = blocks.filter(({ notRun }) => notRun === null);
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** Commands a test may run unchecked: they query a local venue, or end by themselves. */
const HARMLESS = [
  /^curl -s '?(http:\/\/)?(localhost|127\.0\.0\.1):8080\/[^|;&`$]*$/,
  /^npm run -s venue -- (?!up|exchange|feed|maker|watcher|batcher)[^|;&`$]*$/,
  /^node_modules\/\.bin\/node examples\/[\w-]+\.ts$/,
];

/** The commands of a block that a test may not run: a block with one is never run, marked or not. */
function harmfulIn(block: ShellBlock): string[] {
  return commandsOf(block).filter((command) => !HARMLESS.some((pattern) => pattern.test(command)));
}

describe('a shell block', () => {
  test('is found with its mark, without its comments', () => {
    const page =
      'a\n\n<!-- not run: no end -->\n```sh\nA=1 npm start  # x\n```\n\n```sh\ncurl -s \\\n  x\n```\n';
    const [marked, plain] = blocksOf('p.md', page);
    assert.deepEqual([marked!.notRun, commandsOf(marked!)], ['no end', ['A=1 npm start']]);
    assert.deepEqual([plain!.notRun, commandsOf(plain!)], [null, ['curl -s x']]);
    assert.deepEqual(wordsOf("A=1 npm run 'a b'"), ['npm', 'run', 'a b']);
  });

  for (const { place, text } of blocks) {
    test(`${place} is shell`, () => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, '']);
    });
  }

  for (const block of blocks) {
    for (const command of commandsOf(block)) {
      test(`${block.place} names only what there is: ${command}`, () => {
        assert.deepEqual(missing(command), []);
      });
    }
  }

  for (const block of run) {
    test(`${block.place} may be run, or says why not`, () => {
      const others = harmfulIn(block);
      assert.deepEqual(others, [], 'put <!-- not run: why --> before the block');
    });
  }
});

describe('a document', () => {
  for (const { path, text } of documents()) {
    test(`${path} links to files that exist`, () => {
      const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!);
      const local = links.filter((link) => !/^[a-z]+:/.test(link));
      assert.deepEqual(
        local.filter((link) => !existsSync(join(ROOT, dirname(path), link))),
        [],
      );
    });

    test(`${path} names npm scripts that exist`, () => {
      const named = [...text.matchAll(/`npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name!);
      assert.deepEqual(
        named.filter((name) => !(name in scripts)),
        [],
      );
    });
  }
});

/** Names in a command that do not exist: scripts, files, subcommands and options of `venue`. */
function missing(command: string): string[] {
  const words = wordsOf(command);
  const [name, ...rest] = words;
  const paths = words.filter((word) =>
    /^(\.\/)?(bench|deploy|docs|examples|packages|scripts|tests)\/[\w./-]+$/.test(word),
  );
  const found = paths.filter((path) => !existsSync(join(ROOT, path)));
  if (name === 'venue') return [...found, ...missingWords(rest)];
  if (name !== 'npm' || rest[0] !== 'run') return found;
  const [script = '', ...more] = rest.slice(1).filter((word) => word !== '-s');
  const passed = more[0] === '--' ? more.slice(1) : [];
  if (!(script in scripts)) return [...found, `npm run ${script}`];
  if (script === 'venue') return [...found, ...missingWords(passed)];
  if (script === 'bench') return [...found, ...missingBenchmarks(passed)];
  return found;
}

/** The gate takes a commit. */
function missingBenchmarks(words: readonly string[]): readonly string[] {
  const named = words[0] === 'gate' ? words.slice(0, 1) : words;
  return named.filter((word) => globSync(`bench/*/${word}.ts`, { cwd: ROOT }).length === 0);
}

const wholeCommand = program();

function missingWords(words: readonly string[]): string[] {
  let command = wholeCommand;
  const chain = [command];
  let at = 0;
  for (; at < words.length; at++) {
    const next = command.commands.find(
      (sub) => sub.name() === words[at] || sub.aliases().includes(words[at]!),
    );
    if (next === undefined) break;
    command = next;
    chain.push(next);
  }
  if (command.commands.length > 0 && words[at] !== undefined && /^[a-z]/.test(words[at]!))
    return [`venue ${words[at]}`];
  const known = new Set(chain.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])));
  return words
    .slice(at)
    .map((word) => word.split('=')[0]!)
    .filter((word) => /^--?[a-z]/.test(word) && word !== '--help' && !known.has(word));
}

describe('the blocks that are run', { concurrency: 1 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-docs-'));
  const path = join(folder, 'data', 'venue.db');
  const log = `sqlite:${path}`;
  let market: Launched | undefined;
  let url: string;

  before(async () => {
    // A copy of the repository's layout, so that commands do not write into the repository.
    for (const name of [
      'package.json',
      'package-lock.json',
      'node_modules',
      'scripts',
      'packages',
      'examples',
    ])
      symlinkSync(join(ROOT, name), join(folder, name));
    mkdirSync(join(folder, 'data'));
    // An archive needs two snapshots to start from, and a node saves one when it stops.
    await openMarket();
    await closeMarket();
    url = await openMarket();
  });
  after(() => {
    market?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are at least a few', () => assert.ok(run.length >= 3, `${run.length}`));

  const harmless = run.filter((block) => harmfulIn(block).length === 0);
  for (const block of harmless.filter(({ withoutMarket }) => !withoutMarket))
    test(block.place, () => play(block));

  test('the market stops', closeMarket);

  for (const block of harmless.filter(({ withoutMarket }) => withoutMarket))
    test(block.place, () => play(block));

  async function openMarket(): Promise<string> {
    const env = { VENUE_PORT: '0', VENUE_LOG: log, ...SMALL_MARKET };
    market = new Launched(['up'], { env });
    const [, address] = await market.says(/exchange listening on (\S+)/);
    await market.says(QUOTES_STAND);
    return address!;
  }

  async function closeMarket(): Promise<void> {
    const before = newestSnapshot(path);
    await stop();
    // On a busy machine a stop may leave no snapshot for want of time.
    for (let again = 0; again < 5 && newestSnapshot(path) === before; again++) {
      await openMarket();
      await stop();
    }
  }

  async function stop(): Promise<void> {
    market!.process.kill('SIGTERM');
    assert.equal(await market!.exits(), 0);
  }

  async function play(block: ShellBlock): Promise<void> {
    const { stdout, stderr } = await runIn(folder, scriptOf(block, url), { VENUE_URL: url, VENUE_LOG: log });
    assert.doesNotMatch(stdout, /"error":/, `${stdout}${stderr}`);
    assert.notEqual(stdout.trim(), '');
  }
});

/** The block as a script that stops at the first failure, with the running market's address. */
function scriptOf(block: ShellBlock, url: string): string {
  const lines = commandsOf(block).map((command) =>
    command
      .replace(/^curl -s /, 'curl -sf --max-time 20 ')
      .replaceAll(/(http:\/\/)?(localhost|127\.0\.0\.1):8080/g, url)
      .replace(/(examples\/[\w-]+\.ts)$/, `$1 ${url}`),
  );
  return ['set -eu', ...lines].join('\n');
}

const execute = promisify(execFile);

function runIn(cwd: string, script: string, env: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VENUE_'));
  return execute('bash', ['-c', script], {
    cwd,
    env: { ...Object.fromEntries(inherited), HOME: cwd, VENUE_HOME: join(cwd, 'home'), ...env },
    timeout: 120_000,
  });
}
