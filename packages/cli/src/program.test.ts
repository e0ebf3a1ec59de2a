// @seconds 6

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VARIABLES, type Variable } from '@venue/config';
import type { Command } from 'commander';

const READERS = new Set(['exchange', 'feed', 'maker', 'watcher', 'batcher', 'attestor', 'reserves']);
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function venue(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });
}

test('--help names every command, an example and the variables', () => {
  const { status, stdout } = venue('--help');
  assert.equal(status, 0);
  for (const word of ['up', 'exchange', 'feed', 'maker'])
    assert.match(stdout, new RegExp(`^  ${word} `, 'm'));
  assert.match(stdout, /VENUE_PORT=9000 venue up/);
  assert.match(stdout, /^ {2}VENUE_URL +the address of the exchange \(http:\/\/127\.0\.0\.1:8080\)$/m);
});

test('--version is that of the project', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  assert.deepEqual([venue('--version').stdout, venue('-V').stdout], [`${version}\n`, `${version}\n`]);
});

test('parsing loads only the command-line library and the light declarations of variables', async () => {
  const loaded = new Set<string>();
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!/^(node:|\.|file:)/.test(specifier)) loaded.add(specifier);
      return next(specifier, context);
    },
  });
  const { program } = await import('./program.ts');
  await import('./connection/refusal.ts');
  hooks.deregister();
  assert.match(program().helpInformation(), /^ {2}exchange /m);
  const light = /^@venue\/(config|protocol\/(address|endpoint|series|units))$/;
  assert.deepEqual(
    [...loaded].filter((specifier) => !light.test(specifier)),
    ['commander'],
  );
});

test('CFG-1: the help of a process lists the declared variables that it reads, and nothing else', async () => {
  const { program } = await import('./program.ts');
  const processes = program().commands.filter((command) => READERS.has(command.name()));
  assert.equal(processes.length, READERS.size);
  for (const command of processes) {
    const help: string[] = [];
    command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
    const declared = Object.entries<Variable>(VARIABLES).filter(([, { readBy = [], neededBy = [] }]) =>
      [...readBy, ...neededBy].some((reader) => reader === command.name()),
    );
    const listed = [...help.join('').matchAll(/^ {2}(VENUE_\w+)(?:,| {2,})/gm)].map(([, name]) => name);
    assert.deepEqual(
      listed,
      declared.map(([name]) => name),
    );
  }
});

test('the guide names every command', async () => {
  const { program } = await import('./program.ts');
  const guide = readFileSync(new URL('../../../docs/reference/command-line.md', import.meta.url), 'utf8');
  for (const command of program().commands)
    assert.match(guide, new RegExp(`\`(venue )?${command.name()}\\b`), command.name());
});

test('every command has help with an example of itself', async () => {
  const { program } = await import('./program.ts');
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  const pathOf = (command: Command): string =>
    command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
  const leaves = below(program()).filter(({ commands }) => commands.length === 0);
  assert.ok(leaves.length > 40);
  for (const leaf of leaves) {
    let help = '';
    leaf.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    // An option listed in two places is shown by the first.
    const example = new RegExp(
      `^Examples?:\\n(.*\\n)*? .*${pathOf(leaf).replace('venue operator', 'venue( operator)?')}`,
      'm',
    );
    assert.match(help, example, pathOf(leaf));
  }
});

test('each command has help of its own', () => {
  assert.match(
    venue('feed', '--help').stdout,
    /--replay <file>[\s\S]*--seed <number>[\s\S]*ts,symbol,source,price/,
  );
  assert.match(
    venue('feed', '--help').stdout,
    /--live <upstream\.\.\.>[\s\S]*kraken:mid[\s\S]*VENUE_PYTH_IDS/,
  );
  assert.match(venue('maker', '--help').stdout, /VENUE_MAKER_TOKEN/);
});

test('help names a command by all its words, and shows what --help shows', () => {
  assert.equal(venue('help').stdout, venue('--help').stdout);
  assert.equal(venue('help', 'wallet', 'new').stdout, venue('wallet', 'new', '--help').stdout);
  assert.match(venue('help', 'wallet', 'new').stdout, /^Usage: venue wallet new /);
});

test('with --json an invalid command line is an object on standard error', () => {
  const { status, stdout, stderr } = venue('orders', '--close', '--json');
  assert.deepEqual([status, stdout], [2, '']);
  const error = "unknown option '--close' (Did you mean --closed?) (venue orders --help shows how)";
  assert.deepEqual(JSON.parse(stderr), { error, code: 'usage', exit: 2 });
});

for (const [words, message] of [
  [['short'], /^venue: unknown command 'short' /],
  [['sell'], /^venue: missing required argument 'series' \(venue sell --help shows how\)\n$/],
  [['help', 'short'], /^venue: unknown command 'short' \(venue --help/],
  [['help', 'wallet', 'short'], /^venue: unknown command 'short' \(venue wallet --help/],
  [['feed', '--speed', '0'], /'--speed <factor>' argument '0' is invalid/],
  [['feed', '--seed', 'x'], /'--seed <number>' argument 'x' is invalid/],
  [['feed', '--replay'], /argument missing/],
  [
    ['feed', '--live', 'gold'],
    /'--live <upstream\.\.\.>' argument 'gold' is invalid\. Allowed choices are crypto, pyth/,
  ],
  [['feed', '--live', 'crypto', '--seed', '1'], /cannot be used with option '--seed <number>'/],
] as const) {
  test(`venue ${words.join(' ')} is refused with a hint at help`, () => {
    const { status, stderr } = venue(...words);
    assert.equal(status, 2);
    assert.match(stderr, message);
    assert.match(stderr, /^venue: [^\n]*--help shows how\)\n$/);
  });
}
