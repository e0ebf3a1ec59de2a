/** A thief of a proposer's key who floods the gate with batches, and what the checker makes of it. */

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { encodeFunctionData, type Hex, numberToHex } from 'viem';
import { operatorGateAbi } from '../../vault/src/contract/abi.ts';
import { proposeCall, proposerIdOf } from '../../vault/src/gate/calls.ts';
import { accountAt } from '../../vault/test/chain.ts';
import { GATE, guardians, proposers } from '../../vault/test/gate.ts';
import { GateWorld, says, USD, until } from './gate-world.ts';

const thief = parseAddress(accountAt(9).address)!;
const stolen = proposers[0];
const STOLEN_ID = proposerIdOf(parseAddress(stolen.address)!);
/** Transactions in a block, at 70,000 gas a proposal. */
const A_BLOCK = 100;

async function worldOf(t: TestContext, vetoes: number): Promise<GateWorld> {
  const world = await GateWorld.start({ terms: { vetoes } });
  t.after(() => world.stop());
  return world;
}

/** The thief proposes batch after batch, with rising amounts, as fast as blocks take them. */
async function flood(world: GateWorld, count: number): Promise<void> {
  const wallet = world.chain.wallet(stolen);
  let nonce = await world.chain.client.getTransactionCount({ address: stolen.address });
  await world.chain.client.setAutomine(false);
  for (let i = 0; i < count; i++) {
    const payout = { id: BigInt(5_000 + i), account: thief, amount: USD * 101n + BigInt(i) };
    const data = proposeCall(numberToHex(10_000 + i, { size: 32 }), [payout]);
    await wallet.sendTransaction({ to: world.gate.address, data, nonce: nonce++, gas: 120_000n });
    if ((i + 1) % A_BLOCK === 0) await world.chain.client.mine({ blocks: 1 });
  }
  await world.chain.client.mine({ blocks: 1 });
  await world.chain.client.setAutomine(true);
}

/** Guardian's transactions since a block, and the blocks that they are in. */
async function votesSince(world: GateWorld, from: bigint) {
  const logs = await world.chain.client.getContractEvents({
    address: world.gate.address,
    abi: operatorGateAbi,
    eventName: 'VetoVoted',
    fromBlock: from,
  });
  return { count: logs.length, blocks: new Set(logs.map((log) => log.blockNumber)).size, logs };
}

/** Defines the tests of a file. */
export function describeOutrun(batches: number): void {
  describe('CUS-18 a stolen proposer’s key cannot outrun the checker', () => {
    test('at the first batch that no ledger had, the vote goes against the proposer, which voids all its batches at once', async (t) => {
      const world = await worldOf(t, 1);
      // One payout that the ledger has, with other terms, tells that the key is not the batcher's alone.
      const payout = await world.withdraw(900);
      await flood(world, batches);
      const from = await world.chain.client.getBlockNumber();
      await world.proposeBy(stolen, { ...payout, account: thief });
      const honest = await world.proposeBy(proposers[1], payout);
      await world.checked(async (lines) => {
        await until(() => world.gate.isVetoed(STOLEN_ID), lines);
        await until(says(lines, new RegExp(`batch ${honest} follows`)), lines);
        await until(says(lines, /^done in/), lines);
      });
      const { count } = await votesSince(world, from);
      assert.equal(count, 1, 'one vote voids everything');
      assert.equal(await world.isPaused(), false, 'the other proposer goes on');
      t.diagnostic(`${batches} batches, ${count} vote`);
    });

    test('where it takes two guardians, it votes against all of them without waiting for a block between them, largest first, and pauses', async (t) => {
      const world = await worldOf(t, 2);
      const payout = await world.withdraw(900);
      await flood(world, batches);
      await world.proposeBy(stolen, { ...payout, account: thief });
      await world.later(GATE.shortDelaySeconds / 2 + 1);
      const from = await world.chain.client.getBlockNumber();
      await world.chain.client.setAutomine(false);
      await world.checked(async (lines) => {
        const sent = () => lines.filter((line) => line.startsWith('sent')).length;
        // The proposer, the batch with false terms, those of payouts that nobody knows, and the pause.
        await until(() => sent() >= batches + 3, lines);
        await world.chain.client.setBlockGasLimit({ gasLimit: 60_000_000n });
        await world.chain.client.mine({ blocks: 1 });
        await until(() => lines.filter((line) => line.startsWith('done')).length >= batches + 3, lines);
      });
      await world.chain.client.setAutomine(true);
      const { count, blocks, logs } = await votesSince(world, from + 1n);
      t.diagnostic(`${batches} batches, ${count} votes in ${blocks} block(s)`);
      assert.equal(blocks, 1);
      assert.equal(logs[0]!.args.id, STOLEN_ID, 'the proposer first');
      const [, second, third] = logs.map(({ args }) => args.id!);
      assert.equal(second, await idOf(world, payout.id, payout.amount), 'then the largest batch');
      assert.ok(third !== undefined);
      assert.equal(await world.isPaused(), true);
      // The second guardian needs one vote, not hundreds.
      const data = encodeFunctionData({ abi: operatorGateAbi, functionName: 'veto', args: [STOLEN_ID] });
      await world.act(world.gate.address, data, guardians[1]);
      assert.equal(await world.gate.isVetoed(STOLEN_ID), true);
    });

    test('five that merely wait for the copy pause nobody, six do', async (t) => {
      const world = await worldOf(t, 2);
      await flood(world, 5);
      await world.later(GATE.shortDelaySeconds / 2 + 1);
      await world.checked(async (lines) => {
        await until(() => lines.filter((line) => line.startsWith('done')).length >= 5, lines);
        assert.equal(await world.isPaused(), false);
        assert.equal(
          await world.gate.votesAgainst(STOLEN_ID),
          0,
          'the copy may lag: no vote on the proposer',
        );
        await world.proposeBy(stolen, { id: 9_999n, account: thief, amount: 500n * USD });
        await world.later(GATE.shortDelaySeconds / 2 + 1);
        await until(() => world.isPaused(), lines);
      });
    });
  });
}

async function idOf(world: GateWorld, id: bigint, amount: bigint): Promise<Hex> {
  const [log] = await world.chain.client
    .getContractEvents({
      address: world.gate.address,
      abi: operatorGateAbi,
      eventName: 'BatchProposed',
      fromBlock: 0n,
    })
    .then((all) => all.filter(({ args }) => args.payouts![0]!.id === id && args.total === amount));
  return log!.args.id!;
}
