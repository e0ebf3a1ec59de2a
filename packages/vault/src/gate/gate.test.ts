import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { encodeFunctionData, type Hex, numberToHex } from 'viem';
import { accountAt, type LocalAccount, type LocalChain, startChain } from '../../test/chain.ts';
import { cold, GATE, guardians, proposers } from '../../test/gate.ts';
import { startRpcProxy } from '../../test/rpc-proxy.ts';
import type { Receipt } from '../chain/parse.ts';
import { operatorGateAbi, testStablecoinAbi } from '../contract/abi.ts';
import type { VaultAddresses } from '../contract/addresses.ts';
import { deployVault } from '../deploy/deploy.ts';
import { deployTestStablecoin } from '../deploy/test-stablecoin.ts';
import { openKey } from '../keys/open.ts';
import { dueAtOf } from './batches.ts';
import {
  executeCall,
  type GatePayout,
  gateBatchId,
  pauseCall,
  proposeCall,
  proposerIdOf,
  vetoCall,
} from './calls.ts';
import type { Gate } from './gate.ts';
import { openGate } from './open.ts';
import { sendToGate } from './send.ts';
import { gateStatus } from './status.ts';

const deployer = accountAt(0);
const payee = parseAddress(accountAt(9).address)!;
const USD = 1_000_000n;

let chain: LocalChain;
let folder: string;
let file: string;
let addresses: VaultAddresses;
let gate: Gate;

beforeEach(async () => {
  chain = await startChain();
  folder = mkdtempSync(join(tmpdir(), 'venue-gate-'));
  file = join(folder, 'vault.json');
  const token = await deployTestStablecoin({ rpcUrl: chain.rpcUrl, deployerKey: deployer.privateKey });
  const failsafe = accountAt(2).address;
  const deployerKey = deployer.privateKey;
  const options = { rpcUrl: chain.rpcUrl, token, operator: GATE, failsafe, deployerKey, out: file };
  addresses = (await deployVault({ ...options, dryRun: false, log: () => {} })).addresses!;
  await act(
    token,
    encodeFunctionData({
      abi: testStablecoinAbi,
      functionName: 'mint',
      args: [addresses.vault, 10_000n * USD],
    }),
    deployer,
  );
  gate = (await openGate(file, [chain.rpcUrl])).gate;
});
afterEach(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

async function act(to: Hex, data: Hex, by: LocalAccount): Promise<void> {
  const hash = await chain.wallet(by).sendTransaction({ to, data });
  await chain.client.waitForTransactionReceipt({ hash });
}

async function send(data: Hex, by: LocalAccount): Promise<Receipt> {
  const key = await openKey({ holder: 'GUARDIAN', kind: 'key', key: by.privateKey });
  return sendToGate(gate, data, { key, feeMaxWei: 10n ** 12n, onSent: () => {} });
}

const one = (id: bigint, amount: bigint): GatePayout[] => [{ id, account: payee, amount }];
const nameOf = (number: number): Hex => numberToHex(number, { size: 32 });
const status = () => gateStatus(gate, addresses.blockNumber);
async function later(seconds: number): Promise<void> {
  await chain.client.increaseTime({ seconds });
  await chain.client.mine({ blocks: 1 });
}

describe('a gate, read and written (CUS-15)', () => {
  test('what is proposed is found with what it waits for, until its end', async () => {
    const small = one(1n, 100n * USD);
    const middle = one(2n, 900n * USD);
    const large = one(3n, 2_000n * USD);
    for (const [index, payouts] of [small, middle, large].entries())
      await send(proposeCall(nameOf(index), payouts), proposers[0]);
    const first = await status();
    assert.deepEqual(
      first.batches.map(({ state, total, votes }) => [state, total, votes]),
      [
        ['committed', 100n * USD, 0],
        ['waits', 900n * USD, 0],
        ['waits', 2_000n * USD, 0],
      ],
    );
    const [, second, third] = first.batches;
    assert.equal(second?.id, gateBatchId(nameOf(1), middle));
    assert.equal(second?.dueAt, second!.proposedAt + GATE.shortDelaySeconds);
    assert.equal(third?.dueAt, third!.proposedAt + GATE.longDelaySeconds);
    assert.deepEqual(third?.payouts, large);
    assert.deepEqual(first.usage, {
      free: 100n * USD,
      short: 0n,
      all: 100n * USD,
      uncommitted: 9_900n * USD,
    });
    assert.deepEqual(first.bounds.freeMax, 100n * USD);
    await assert.rejects(
      send(executeCall(nameOf(1), middle), guardians[0]),
      /the gate refuses: NotYet\(id 0x/,
    );
    await later(GATE.shortDelaySeconds);
    assert.equal((await status()).batches[1]?.state, 'due');
    await send(executeCall(nameOf(1), middle), guardians[0]);
    await later(4 * GATE.longDelaySeconds);
    assert.deepEqual((await status()).batches, [], 'nothing older than the expiry is read');
  });

  test('votes are counted, and a veto ends a batch; that of a proposer ends all of its batches', async () => {
    const payouts = one(1n, 900n * USD);
    const id = gateBatchId(nameOf(1), payouts);
    await send(proposeCall(nameOf(1), payouts), proposers[0]);
    await send(proposeCall(nameOf(2), one(2n, 900n * USD)), proposers[0]);
    await send(vetoCall(id), guardians[0]);
    assert.deepEqual([(await status()).batches[0]?.votes, await gate.isVetoed(id)], [1, false]);
    await send(vetoCall(id), guardians[2]);
    assert.equal((await status()).batches[0]?.state, 'vetoed');
    const proposer = parseAddress(proposers[0].address)!;
    await send(vetoCall(proposerIdOf(proposer)), guardians[0]);
    assert.equal(await gate.isProposer(proposer), true);
    await send(vetoCall(proposerIdOf(proposer)), guardians[1]);
    assert.equal(await gate.isProposer(proposer), false);
    assert.equal((await status()).batches[1]?.state, 'void');
    await assert.rejects(send(vetoCall(id), proposers[0]), /the gate refuses: NotGuardian\(account 0x/);
  });

  test('a pause and what the cold key announces are shown', async () => {
    const payouts = one(1n, 900n * USD);
    await send(proposeCall(nameOf(1), payouts), proposers[0]);
    await send(pauseCall(), guardians[1]);
    await act(
      addresses.operator,
      encodeFunctionData({ abi: operatorGateAbi, functionName: 'announceProposer', args: [payee] }),
      cold,
    );
    const members = addresses.gate!.guardians.slice(0, 1);
    await act(
      addresses.operator,
      encodeFunctionData({ abi: operatorGateAbi, functionName: 'announceGuardians', args: [members, 1n] }),
      cold,
    );
    const now = await status();
    assert.equal(now.batches[0]?.dueAt, now.pausedUntil + 1);
    const [proposer, others] = now.announced;
    assert.equal(now.announced.length, 2);
    assert.deepEqual(
      [proposer?.kind, proposer?.subject, proposer?.id],
      ['proposer', payee, proposerIdOf(payee)],
    );
    assert.deepEqual([others?.kind, others?.text], ['guardians', `1 of ${members[0]}`]);
    assert.equal(others?.readyAt, now.time + GATE.changeDelaySeconds);
    await act(addresses.operator, vetoCall(proposer!.id), guardians[0]);
    await act(addresses.operator, vetoCall(proposer!.id), guardians[1]);
    assert.deepEqual(
      (await status()).announced.map(({ kind }) => kind),
      ['guardians'],
      'what is vetoed is not announced any more',
    );
  });

  test('guardians who pause in turns stop everything permanently once there are ten of them, whatever a veto takes', async () => {
    const many = Array.from({ length: 21 }, (_, index) => accountAt(40 + index));
    const out = join(folder, 'many.json');
    const request = { ...GATE, guardians: many.map(({ address }) => address), vetoes: 11 };
    const roles = { token: addresses.token, operator: request, failsafe: accountAt(2).address };
    const deployerKey = deployer.privateKey;
    await deployVault({ rpcUrl: chain.rpcUrl, ...roles, deployerKey, out, dryRun: false, log: () => {} });
    const crowded = (await openGate(out, [chain.rpcUrl])).gate;
    for (const { address } of many) await chain.client.setBalance({ address, value: 10n ** 18n });
    const { timestamp } = await chain.client.getBlock();
    const LONG = GATE.longDelaySeconds;
    /** The first pause of a series begins after a time in which every guardian may pause. */
    const pauseInTurns = async (from: number, { thieves, turns }: Record<'thieves' | 'turns', number>) => {
      for (let turn = 0; turn < turns; turn++) {
        await chain.client.setNextBlockTimestamp({ timestamp: BigInt(from + turn * LONG) });
        await act(crowded.address, pauseCall(), many[turn % thieves]!);
        assert.equal(await crowded.pausedUntil(), from + (turn + 1) * LONG);
      }
    };
    const start = Number(timestamp) + 1_000;
    await pauseInTurns(start, { thieves: 10, turns: 25 });
    const rested = start + 40 * LONG;
    await pauseInTurns(rested, { thieves: 9, turns: 9 });
    await chain.client.setNextBlockTimestamp({ timestamp: BigInt(rested + 9 * LONG) });
    await assert.rejects(act(crowded.address, pauseCall(), many[0]!), /reverted|PausedBefore/);
  });

  test('a proposal that does not fit its name, and another contract, are not believed', async (t) => {
    await send(proposeCall(nameOf(1), one(1n, 900n * USD)), proposers[0]);
    const other = deployer.address.slice(2).toLowerCase();
    const proxy = await startRpcProxy(chain.rpcUrl);
    t.after(() => proxy.stop());
    const lied = (await openGate(file, [proxy.url])).gate;
    // Another account in the place of the payee.
    proxy.tamper = async ({ forward }) =>
      JSON.parse(JSON.stringify(await forward()).replaceAll(payee.slice(2).toLowerCase(), other));
    const status = () => gateStatus(lied, addresses.blockNumber);
    await assert.rejects(status(), /the receipts of block \d+ are not those that its header names/);
    // Older blocks are read from an index of logs.
    await chain.client.mine({ blocks: 130 });
    await assert.rejects(status(), /a proposal of the gate contradicts itself/);
    writeFileSync(file, JSON.stringify({ ...addresses, operator: addresses.vault }));
    await assert.rejects(openGate(file, [chain.rpcUrl]), /is not the gate of this release/);
    writeFileSync(file, JSON.stringify({ ...addresses, chainId: 1 }));
    await assert.rejects(openGate(file, [chain.rpcUrl]), /vault\.json is of chain 1, and .* of 31337/);
    const { gate: _, ...ungated } = addresses;
    writeFileSync(file, JSON.stringify(ungated));
    await assert.rejects(openGate(file, [chain.rpcUrl]), /has no gate/);
  });
});

test('a batch is due by the smallest allowance that holds it today (CUS-15)', () => {
  const bounds = {
    freeMax: 100n,
    capMax: 5_000n,
    epoch: 86_400,
    shortDelay: 3_600,
    longDelay: 86_400,
    changeDelay: 0,
    sweepDelay: 0,
    expiry: 345_600,
  };
  const usage = { free: 60n, short: 500n, all: 600n, uncommitted: 10_000n };
  const due = (total: bigint, pausedUntil = 0) => dueAtOf(total, 1_000, { bounds, usage, pausedUntil });
  assert.equal(due(40n), 1_000);
  assert.equal(due(41n), 4_600);
  assert.equal(due(500n), 4_600);
  assert.equal(due(501n), 87_400);
  assert.equal(due(4_400n), 87_400);
  assert.equal(due(4_401n), null);
  assert.equal(due(40n, 2_000), 2_001);
});
