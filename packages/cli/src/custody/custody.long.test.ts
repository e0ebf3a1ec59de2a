// @seconds 8

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  deployTestStablecoin,
  deployVault,
  operatorGateAbi,
  testStablecoinAbi,
  type VaultAddresses,
} from '@venue/vault';
import { numberToHex } from 'viem';
import { DEPOSITS, startVenue } from '../../../exchange/test/support.ts';
import { type LocalAccount, type LocalChain, startChain } from '../../../vault/test/chain.ts';
import { runInProcess } from '../../test/in-process.ts';

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

test('CUS-1: vault deploy binds the ledger, or says how', async (t) => {
  const exchange = await startVenue(DEPOSITS);
  t.after(() => exchange.exchange.stop());
  const [deployer, operator, failsafe] = chain.accounts;
  const secrets = {
    VENUE_SETTLE_TOKEN_1: DEPOSITS.VENUE_SETTLE_TOKEN_1!,
    VENUE_SETTLE_TOKEN_2: DEPOSITS.VENUE_SETTLE_TOKEN_2!,
  };
  const deploy = (name: string, words: readonly string[], env: Readonly<Record<string, string>> = secrets) =>
    runInProcess(
      [
        ...['vault', 'deploy', '--rpc', chain.rpcUrl, '--token', addresses.token],
        ...['--operator', operator!.address, '--failsafe', failsafe!.address],
        ...['--out', join(folder, name), ...words],
      ],
      { VENUE_DEPLOYER_KEY: deployer!.privateKey, ...env },
    );
  const bind = ['--bind', '--url', exchange.url];
  const bound = async () => {
    const { body } = await exchange.get('/v1/reserves');
    return { chainId: body.chainId, vault: body.vault };
  };
  for (const [words, env, message] of [
    [[...bind, '--yes'], {}, /^venue: neither VENUE_SETTLE_TOKEN_1 nor VENUE_SETTLE_TOKEN_2 is set/],
    [bind, secrets, /there is no terminal to ask on: nothing was deployed; add --yes/],
    [['--yes'], secrets, /^venue: --after-another, --funder, --url and --yes of vault deploy go with --bind/],
    [[...bind, '--yes', '--funder', 'me'], secrets, /^venue: --funder must be 0x and 40 hex digits/],
    [['--bind', '--yes', '--url', 'http://127.0.0.1:9'], secrets, /127\.0\.0\.1:9/],
  ] as const) {
    assert.match((await deploy('refused.json', words, env)).stderr, message);
    assert.equal(existsSync(join(folder, 'refused.json')), false, 'nothing was deployed');
  }
  const unbound = await deploy('later.json', [], {});
  assert.equal(unbound.code, 0, unbound.stderr);
  assert.match(unbound.stdout, /^next .* venue operator bind --file .*later\.json$/m);
  await deploy('planned.json', [...bind, '--yes', '--dry-run']);
  assert.deepEqual(await bound(), { chainId: null, vault: null });

  const first = await deploy('first.json', [...bind, '--yes', '--json']);
  assert.equal(first.code, 0, first.stderr);
  const { chainId, vault: deployed } = JSON.parse(first.stdout);
  const vault = deployed.toLowerCase();
  assert.match(first.stderr, new RegExp(`^bound to the vault ${vault} on chain ${chainId}$`, 'm'));
  assert.deepEqual(await bound(), { chainId, vault });

  const another = await deploy('second.json', [...bind, '--yes']);
  assert.match(another.stderr, /^venue: the ledger is bound to the vault .*: add --after-another/);
  assert.equal(existsSync(join(folder, 'second.json')), false, 'nothing was deployed');
  const wrong = { ...secrets, VENUE_SETTLE_TOKEN_2: 'another-secret-another-secret-another' };
  const failed = await deploy('second.json', [...bind, '--yes', '--after-another'], wrong);
  assert.notEqual(failed.code, 0);
  assert.match(failed.stderr, /^the vault is deployed and .* venue operator bind --file .*second\.json$/m);
  assert.deepEqual(await bound(), { chainId, vault });
});

test('vault gate shows what is proposed, and guardians stop it (CUS-15)', async () => {
  const out = join(folder, 'voting.json');
  const [deployer, , failsafe, proposer, payee, one, two, three, cold] = chain.accounts;
  const deployed = await deployVault({
    rpcUrl: chain.rpcUrl,
    token: addresses.token,
    operator: {
      cold: cold!.address,
      proposers: [proposer!.address],
      guardians: [one!.address, two!.address, three!.address],
      vetoes: 2,
      freeMaxMicros: 0,
      capMaxMicros: 1_000_000_000,
      epochSeconds: 7_200,
      shortDelaySeconds: 3_600,
      longDelaySeconds: 7_200,
      changeDelaySeconds: 9_000,
      sweepDelaySeconds: 9_000,
    },
    failsafe: failsafe!.address,
    deployerKey: deployer!.privateKey,
    out,
    dryRun: false,
    log: () => {},
  });
  const { operator, vault } = deployed.addresses!;
  const mined = async (hash: `0x${string}`) => chain.client.waitForTransactionReceipt({ hash });
  const token = { address: addresses.token, abi: testStablecoinAbi } as const;
  const wallet = chain.wallet(proposer!);
  await mined(await wallet.writeContract({ ...token, functionName: 'mint', args: [vault, 10n ** 10n] }));
  const propose = async (id: bigint) => {
    const payouts = [{ id, account: payee!.address, amount: 20_500_000n }];
    const args = [numberToHex(id, { size: 32 }), payouts] as const;
    const gate = { address: operator, abi: operatorGateAbi } as const;
    await mined(await wallet.writeContract({ ...gate, functionName: 'propose', args }));
  };
  await propose(1n);
  await propose(2n);
  const gate = (by: LocalAccount, ...words: readonly string[]) =>
    runInProcess(['vault', 'gate', ...words, '--rpc', chain.rpcUrl, '--file', out], {
      VENUE_GUARDIAN_KEY: by.privateKey,
    });
  const shown = await gate(payee!, 'status');
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /^guardians {2}2 of 0x.*\n(.*\n)*batch +amount USD +payouts/m);
  assert.match(shown.stdout, /20\.50 +1 +0x\w{40} +\S+ \S+.* 0 +waits/);
  const { batches } = JSON.parse((await gate(payee!, 'status', '--json')).stdout);
  const [first, second] = batches.map(({ id }: { id: string }) => id);
  assert.equal(batches[0].total, '20500000');

  const unasked = await gate(one!, 'veto', first);
  assert.match(unasked.stderr, /^venue: there is no terminal to ask on: nothing was sent; add --yes/);
  assert.match((await gate(payee!, 'veto', first, '--yes')).stderr, /^venue: the gate refuses: NotGuardian/);
  assert.match((await gate(one!, 'veto', '0x12', '--yes')).stderr, /^venue: a veto takes an id with 64 hex/);
  assert.match((await gate(one!, 'veto', first, '--yes')).stdout, /^1 votes, and no veto yet$/m);
  assert.match((await gate(two!, 'veto', first, '--yes')).stdout, /^vetoed with 2 votes$/m);

  assert.match(
    (await gate(payee!, 'execute', second, '--yes')).stderr,
    /^venue: the batch is not due: waits until/,
  );
  await chain.client.increaseTime({ seconds: 3_600 });
  await chain.client.mine({ blocks: 1 });
  assert.match(
    (await gate(payee!, 'execute', first, '--yes')).stderr,
    /^venue: the batch is not due: vetoed/,
  );
  assert.match((await gate(payee!, 'execute', second, '--yes')).stdout, /^committed: 20\.50 in 0x\w{64}$/m);

  const announce = { address: operator, abi: operatorGateAbi, functionName: 'announceGuardians' } as const;
  await mined(await chain.wallet(cold!).writeContract({ ...announce, args: [[payee!.address], 1n] }));
  const announced = new RegExp(
    `^ANNOUNCED {2}guardians (0x\\w{64}), from .* on: 1 of ${payee!.address}$`,
    'm',
  );
  const [, id] = announced.exec((await gate(payee!, 'status')).stdout)!;
  assert.match((await gate(one!, 'veto', id!, '--yes')).stdout, /^1 votes, and no veto yet$/m);
  const pending = await verify('--file', out);
  assert.deepEqual([pending.code, pending.last.slice(0, 17)], [1, 'NOT VERIFIED: the']);

  assert.match((await gate(three!, 'pause', '--yes')).stdout, /^paused until /m);
  assert.match((await gate(payee!, 'status')).stdout, /^PAUSED {5}until /m);
  const byProposer = await gate(one!, 'veto', proposer!.address, '--yes');
  assert.match(byProposer.stdout, /^1 votes, and no veto yet$/m);
  const keyless = await runInProcess(
    ['vault', 'gate', 'pause', '--yes', '--rpc', chain.rpcUrl, '--file', out],
    {},
  );
  assert.match(keyless.stderr, /^venue: no key signs: set one of VENUE_GUARDIAN_KEY, /);
});
