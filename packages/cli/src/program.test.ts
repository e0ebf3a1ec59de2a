import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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
  assert.match(stdout, /VENUE_LOG +where it keeps everything/);
});

test('the words load nothing but the library of the command line', async () => {
  const loaded = new Set<string>();
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!/^(node:|\.|file:)/.test(specifier)) loaded.add(specifier);
      return next(specifier, context);
    },
  });
  const { program } = await import('./program.ts');
  await import('./refusal.ts');
  hooks.deregister();
  assert.match(program().helpInformation(), /^ {2}exchange /m);
  assert.deepEqual([...loaded], ['commander']);
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

for (const [words, message] of [
  [['sell'], /unknown command 'sell'/],
  [['feed', '--speed', '0'], /'--speed <factor>' argument '0' is invalid/],
  [['feed', '--seed', 'x'], /'--seed <number>' argument 'x' is invalid/],
  [['feed', '--replay'], /argument missing/],
  [
    ['feed', '--live', 'gold'],
    /'--live <upstream\.\.\.>' argument 'gold' is invalid\. Allowed choices are crypto, pyth/,
  ],
  [['feed', '--live', 'crypto', '--seed', '1'], /cannot be used with option '--seed <number>'/],
] as const) {
  test(`venue ${words.join(' ')} is refused with a word on help`, () => {
    const { status, stderr } = venue(...words);
    assert.equal(status, 1);
    assert.match(stderr, message);
    assert.match(stderr, /--help/);
  });
}
