import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Hex, keccak256 } from 'viem';
import { eventually, type World, worldOf } from '../../test/world.ts';
import { loadReservesConfig } from '../daemon/config.ts';
import { readReserves } from '../reserves/read-reserves.ts';

const OTHER = /^VENUE_VAULT_ADDRESS: the contract at 0x\w+ is not the vault of this release: code: /;

test('CUS-20: a token that is named as vault is refused at once, by watcher, batcher and reserves', async (t) => {
  const world = await worldOf(t);
  const changes = { VENUE_VAULT_ADDRESS: world.token };
  for (const daemon of [world.watch(changes), world.pay(changes)]) {
    const error = await daemon.dies();
    assert.equal(error.name, 'ConfigError');
    assert.match(error.message, OTHER);
  }
  await assert.rejects(readReserves(reserves(world, changes)), { name: 'ConfigError', message: OTHER });
});

test('CUS-20: other code than the artifact is believed only with the file of its deployment', async (t) => {
  const world = await worldOf(t);
  const code = await changeCode(world);
  assert.match((await world.watch().dies()).message, OTHER);

  const file = { VENUE_VAULT_DEPLOYMENT: writeFile(world, { codeHash: keccak256(code) }) };
  const watcher = world.watch(file);
  await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
  assert.equal((await readReserves(reserves(world, file))).holds, true);

  const lie = { VENUE_VAULT_DEPLOYMENT: writeFile(world, { codeHash: `0x${'12'.repeat(32)}` }) };
  assert.match(
    (await world.pay(lie).dies()).message,
    /^VENUE_VAULT_DEPLOYMENT: the code at 0x\w+ has the hash 0x\w+, and/,
  );
  const foreign = { VENUE_VAULT_DEPLOYMENT: writeFile(world, { vault: world.token }) };
  assert.throws(() => world.watch(foreign), {
    name: 'ConfigError',
    message:
      /^VENUE_VAULT_DEPLOYMENT: .* is of another vault: VENUE_VAULT_ADDRESS is 0x\w+, there it is 0x\w+$/,
  });
  assert.throws(() => world.watch({ VENUE_VAULT_DEPLOYMENT: join(world.folder, 'none.json') }), {
    name: 'ConfigError',
    message: /^VENUE_VAULT_DEPLOYMENT: .*none.json cannot be read/,
  });
});

/** Appends a byte that is never run to the vault's code; returns all of it. */
async function changeCode({ chain, vault }: World): Promise<Hex> {
  const code: Hex = `${(await chain.client.getCode({ address: vault }))!}00`;
  await chain.client.setCode({ address: vault, bytecode: code });
  return code;
}

let files = 0;

function writeFile(world: World, changes: object): string {
  const path = join(world.folder, `vault-${++files}.json`);
  const addresses = {
    chainId: world.chain.chainId,
    vault: world.vault,
    token: world.token,
    operator: world.operator.address,
    failsafe: world.chain.accounts[1]!.address,
    blockNumber: 1,
    txHash: `0x${'ab'.repeat(32)}`,
    codeHash: `0x${'cd'.repeat(32)}`,
    ...changes,
  };
  writeFileSync(path, JSON.stringify(addresses));
  return path;
}

function reserves(world: World, changes: Record<string, string>) {
  return loadReservesConfig(world.env(changes));
}
