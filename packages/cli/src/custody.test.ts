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

test('vault verify compares what a person expects, and shows it (OWN-63)', async () => {
  const { token, operator, failsafe, chainId } = addresses;
  const words = [
    '--chain-id',
    String(chainId),
    '--token',
    token,
    '--operator',
    operator,
    '--failsafe',
    failsafe,
  ];
  const shown = await runInProcess(['vault', 'verify', '--rpc', chain.rpcUrl, '--file', file, ...words], {});
  assert.equal(shown.code, 0);
  for (const line of [
    `chain id: ${chainId}`,
    `token(): ${token}`,
    `operator(): ${operator}`,
    `failsafe(): ${failsafe}`,
    'the operator is: an account with a key',
  ])
    assert.ok(shown.stdout.includes(`ok   ${line}\n`), line);
  const wrong = await runInProcess(
    ['vault', 'verify', '--rpc', chain.rpcUrl, '--file', file, '--failsafe', operator],
    {},
  );
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /^FAIL expected failsafe: 0x\w{40}, expected 0x/m);
  assert.match((await verify('--file', file, '--token', 'USDC')).stderr, /^venue: --token must be 0x and 40/);
  assert.match(
    (await verify('--file', file, '--chain-id', 'one')).stderr,
    /^venue: --chain-id must be a number/,
  );
});

test('vault deploy makes a gate from words, and refuses half of one (CUS-15)', async () => {
  const accounts = chain.accounts.map(({ address }) => address);
  const [, , failsafe, proposer, , one, two, three, cold] = accounts as [string, ...string[]];
  const out = join(folder, 'gated.json');
  const deploy = (...words: readonly string[]) =>
    runInProcess(
      [
        'vault',
        'deploy',
        '--rpc',
        chain.rpcUrl,
        '--token',
        addresses.token,
        '--failsafe',
        failsafe!,
        '--out',
        out,
        ...words,
      ],
      { VENUE_DEPLOYER_KEY: chain.accounts[0]!.privateKey },
    );
  const gate = [
    ...['--proposers', proposer!, '--guardians', `${one},${two}, ${three}`, '--vetoes', '2', '--cold', cold!],
    ...['--free-usd', '100.5', '--cap-usd', '5000', '--short-delay', '90s', '--change-delay', '2d'],
  ];
  assert.match((await deploy()).stderr, /^venue: vault deploy takes either --operator, or for a gate all of/);
  assert.match((await deploy(...gate.slice(0, 6))).stderr, /^venue: vault deploy takes either/);
  assert.match((await deploy(...gate, '--operator', cold!)).stderr, /^venue: vault deploy takes either/);
  assert.match((await deploy(...gate, '--epoch', '1 day')).stderr, /^venue: --epoch must be a time like 90s/);
  assert.match((await deploy(...gate, '--cap-usd', '1e9')).stderr, /^venue: --cap-usd must be an amount/);
  const { code, stdout, stderr } = await deploy(...gate, '--json');
  assert.equal(code, 0, stderr);
  const { gate: made, operator } = JSON.parse(stdout);
  assert.deepEqual(
    [
      made.freeMaxMicros,
      made.capMaxMicros,
      made.shortDelaySeconds,
      made.longDelaySeconds,
      made.changeDelaySeconds,
    ],
    [100_500_000, 5_000_000_000, 90, 86_400, 172_800],
  );
  assert.equal(made.sweeper, failsafe);
  const { last } = await verify('--file', out, '--operator', operator);
  assert.equal(last, 'verified: code, immutables and creation');
});
