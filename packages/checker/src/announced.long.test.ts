// @seconds 11

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { encodeFunctionData, type Hex, keccak256, parseAbi, toHex, zeroHash } from 'viem';
import { chainAt } from '../../vault/src/chain/servers.ts';
import { operatorGateAbi } from '../../vault/src/contract/abi.ts';
import { Announcements } from '../../vault/src/gate/announced.ts';
import { proposerIdOf, vetoCall } from '../../vault/src/gate/calls.ts';
import { Gate } from '../../vault/src/gate/gate.ts';
import { gateStatus } from '../../vault/src/gate/status.ts';
import { accountAt, type LocalAccount } from '../../vault/test/chain.ts';
import { cold, GATE, guardians } from '../../vault/test/gate.ts';
import { startRpcProxy } from '../../vault/test/rpc-proxy.ts';
import { GateWorld, says, until } from '../test/gate-world.ts';

const TIMELOCK = parseAbi([
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) view returns (bytes32)',
  'function hashOperationBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) view returns (bytes32)',
]);
const OWNER = accountAt(2);
const DELAY = BigInt(GATE.sweepDelaySeconds);
const SWEEP = encodeFunctionData({
  abi: parseAbi(['function emergencySweep()']),
  functionName: 'emergencySweep',
});

let world: GateWorld;

before(async () => {
  world = await GateWorld.start();
});
after(() => world.stop());

/** Announces a sweep, and returns its id. */
async function announceSweep(name: string): Promise<Hex> {
  const args = [world.addresses.vault, 0n, SWEEP, zeroHash, keccak256(toHex(name))] as const;
  const address = await world.gate.failsafe();
  const schedule = { abi: TIMELOCK, functionName: 'schedule', args: [...args, DELAY] } as const;
  await world.act(address, encodeFunctionData(schedule), OWNER);
  // It counts once its block is final.
  await world.chain.client.mine({ blocks: 1 });
  return world.chain.client.readContract({ address, abi: TIMELOCK, functionName: 'hashOperation', args });
}

async function byColdKey(functionName: 'announceProposer' | 'announceGuardians', args: readonly unknown[]) {
  const data = encodeFunctionData({ abi: operatorGateAbi, functionName, args } as never);
  await world.act(world.gate.address, data, cold);
}

const announced = async () => (await gateStatus(world.gate, world.addresses.blockNumber)).announced;
const votes = (id: Hex) => world.gate.votesAgainst(id as never);

/** Votes of a guardian against this: the gate has an event for each. */
async function votesGiven(id: Hex, by: LocalAccount = guardians[0]): Promise<number> {
  const abi = operatorGateAbi;
  const event = abi.find((one) => one.type === 'event' && one.name === 'VetoVoted')!;
  const filter = { address: world.gate.address, event, args: { id, guardian: by.address }, fromBlock: 0n };
  return (await world.chain.client.getLogs(filter as never)).length;
}

describe('CUS-18 what is announced on chain', () => {
  test('the checker votes against a sweep that no person has named, and the status shows every one', async () => {
    const [named, unnamed] = [await announceSweep('named'), await announceSweep('unnamed')];
    assert.deepEqual(
      (await announced()).map(({ id, text }) => [id, text]),
      [
        [named, 'a sweep of the vault'],
        [unnamed, 'a sweep of the vault'],
      ],
    );
    await world.checked(
      async (lines) => {
        await until(says(lines, new RegExp(`ALARM: operation ${unnamed} is announced`)), lines);
        await until(() => world.isOpposed(unnamed as never), lines);
        assert.equal(await world.isOpposed(named as never), false);
      },
      { env: { VENUE_CHECKER_SEEN: `operation:${named}` } },
    );
  });

  test('an operation takes one vote while it waits for others, and one more each time it is announced again', async () => {
    const id = await announceSweep('again');
    await world.checked(async (lines) => {
      await until(() => world.isOpposed(id as never), lines);
      // Longer than a vote that was sent counts without being in a log.
      await world.chain.client.mine({ blocks: 40 });
      for (const usd of [120, 125]) {
        const payout = await world.propose(await world.withdraw(usd));
        await until(says(lines, new RegExp(`${payout} follows`)), lines);
      }
      assert.equal(await votesGiven(id), 1);
      await world.act(world.gate.address, vetoCall(id), guardians[1]);
      assert.ok(!(await announced()).some((one) => one.id === id));
      await announceSweep('again');
      await until(async () => (await votesGiven(id)) === 2, lines);
      await until(async () => !(await announced()).some((one) => one.id === id), lines);
    });
  });

  test('every call of an operation is shown, and none hides behind another', async () => {
    const failsafe = await world.gate.failsafe();
    const role = keccak256(toHex('CANCELLER_ROLE'));
    const revoke = { role, account: world.gate.address };
    const data = encodeFunctionData({
      abi: parseAbi(['function revokeRole(bytes32 role, address account)']),
      args: [revoke.role, revoke.account],
    });
    const args = [
      [failsafe, world.addresses.vault, world.addresses.token],
      [0n, 0n, 0n],
      [data, SWEEP, '0x'],
      zeroHash,
      zeroHash,
    ] as const;
    const scheduleBatch = { abi: TIMELOCK, functionName: 'scheduleBatch', args: [...args, DELAY] } as const;
    await world.act(failsafe, encodeFunctionData(scheduleBatch), OWNER);
    const id = await world.chain.client.readContract({
      ...{ address: failsafe, abi: TIMELOCK, functionName: 'hashOperationBatch', args },
    });
    const { text } = (await announced()).find((one) => one.id === id)!;
    assert.match(text, new RegExp(`revokeRole\\(${role}, 0x\\w+\\) of the failsafe itself`));
    assert.match(text, new RegExp(`and a sweep of the vault and a call of ${world.addresses.token}`, 'i'));
  });

  test('a proposer and guardians that no person names in half of their delay are voted against, others are not', async () => {
    const [stranger, named] = [accountAt(14), accountAt(15)].map(({ address }) => parseAddress(address)!);
    await byColdKey('announceGuardians', [[stranger], 1n]);
    const [members] = (await announced()).filter(({ kind }) => kind === 'guardians');
    const proposer = async (lines: string[]) => {
      await until(
        says(lines, new RegExp(`ALARM: guardians ${members!.id} is announced.*1 of ${stranger}`, 'i')),
        lines,
      );
      await byColdKey('announceProposer', [stranger]);
      await until(says(lines, new RegExp(`ALARM: proposer ${stranger} is announced`)), lines);
      await world.later(GATE.changeDelaySeconds / 2 - 60);
      const payout = await world.propose(await world.withdraw(130));
      await until(says(lines, new RegExp(`${payout} follows`)), lines);
      assert.deepEqual([await votes(proposerIdOf(stranger!)), await votes(members!.id)], [0, 0]);
      await world.later(120);
      for (const id of [proposerIdOf(stranger!), members!.id])
        await until(async () => (await votes(id)) === 1, lines);
    };
    await world.checked(proposer);
    await byColdKey('announceProposer', [named]);
    await byColdKey('announceGuardians', [[named], 1n]);
    const [ours] = (await announced()).filter(({ kind }) => kind === 'guardians');
    await world.later(GATE.changeDelaySeconds);
    await world.checked(
      async (lines) => {
        const payout = await world.propose(await world.withdraw(140));
        await until(says(lines, new RegExp(`${payout} follows`)), lines);
        assert.deepEqual([await votes(proposerIdOf(named!)), await votes(ours!.id)], [0, 0]);
      },
      { env: { VENUE_CHECKER_SEEN: `proposer:${named},guardians:${ours!.id}` } },
    );
  });

  test('CUS-12: an index of logs that lags hides no operation from who follows the chain, and none for more than an hour from others', async (t) => {
    const lagging = await startRpcProxy(world.chain.rpcUrl);
    t.after(() => lagging.stop());
    const failsafe = await world.gate.failsafe();
    lagging.tamper = ({ method, params, forward }) =>
      method === 'eth_getLogs' && params[0].address === failsafe ? [] : forward();
    let nowMs = 0;
    const gate = new Gate(chainAt([lagging.url]), world.gate.address);
    const fromBlock = world.addresses.blockNumber;
    const announcements = new Announcements({ gate, fromBlock, now: () => nowMs });
    const ids = async () => (await announcements.pending(await gate.chain.head())).map(({ id }) => id);
    await world.chain.client.mine({ blocks: 200 });
    const hidden = await announceSweep('hidden');
    assert.ok(!(await ids()).includes(hidden as never), 'the index hides it');
    const followed = await announceSweep('followed');
    assert.ok((await ids()).includes(followed as never));
    lagging.honest();
    assert.ok(!(await ids()).includes(hidden as never), 'blocks are read once');
    nowMs += 3_600_000;
    assert.ok((await ids()).includes(hidden as never));
  });
});
