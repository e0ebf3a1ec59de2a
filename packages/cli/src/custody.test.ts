import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deployTestStablecoin, deployVault, type VaultAddresses } from '@venue/vault';
import { type LocalChain, startChain } from '../../vault/test/chain.ts';
import { runInProcess } from '../test/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-cli-'));
const file = join(folder, 'vault.json');

let chain: LocalChain;
let addresses: VaultAddresses;
before(async () => {
  chain = await startChain();
  const { rpcUrl } = chain;
  const [deployer, operator, failsafe] = chain.accounts;
  const deployerKey = deployer!.privateKey;
  const token = await deployTestStablecoin({ rpcUrl, deployerKey });
  const roles = { token, operator: operator!.address, failsafe: failsafe!.address };
  const deployed = await deployVault({
    rpcUrl,
    deployerKey,
    ...roles,
    out: file,
    dryRun: false,
    log: () => {},
  });
  addresses = deployed.addresses!;
});
after(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

async function verify(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess(
    ['vault', 'verify', '--rpc', chain.rpcUrl, ...words],
    {},
  );
  return { code, last: stdout.trim().split('\n').at(-1) ?? '', stderr };
}

test('vault verify exits with 0 only if the storage is verified, too', async () => {
  const { vault, txHash } = addresses;
  for (const words of [
    ['--file', file],
    ['--address', vault, '--tx', txHash],
  ])
    assert.deepEqual(await verify(...words), {
      code: 0,
      last: 'verified: code, immutables and creation',
      stderr: '',
    });
  const asJson = await verify('--file', file, '--json');
  const { holds, isStorageVerified } = JSON.parse(asJson.last);
  assert.deepEqual([asJson.code, holds, isStorageVerified], [0, true, true]);
  assert.match(asJson.stderr, /^verified: code, immutables and creation$/m);
  const alone = await verify('--address', vault);
  assert.equal(alone.code, 2);
  assert.match(alone.last, /^NOT VERIFIED: .* the storage is not known/);
  const other = await verify('--address', addresses.token);
  assert.equal(other.code, 1);
  assert.match(other.last, /^NOT VERIFIED: this is not the vault/);
  for (const words of [
    ['--file', file, '--tx', txHash],
    ['--address', vault, '--tx', '0x12'],
  ])
    assert.match((await verify(...words)).stderr, /^venue: --tx goes with --address/);
});
