import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFunctionData, keccak256, parseAbi, toHex, zeroHash } from 'viem';
import { gateStatus } from '../../vault/src/gate/status.ts';
import { accountAt } from '../../vault/test/chain.ts';
import { GATE } from '../../vault/test/gate.ts';
import { GateWorld, says, until } from '../test/gate-world.ts';

const TIMELOCK = parseAbi([
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) view returns (bytes32)',
]);
const SWEEP = encodeFunctionData({
  abi: parseAbi(['function emergencySweep()']),
  functionName: 'emergencySweep',
});

test('CUS-18: the checker votes against a sweep that no person has named, and the status shows every one', async (t) => {
  const world = await GateWorld.start();
  t.after(() => world.stop());
  const failsafe = await world.gate.failsafe();
  const announce = async (name: string) => {
    const args = [world.addresses.vault, 0n, SWEEP, zeroHash, keccak256(toHex(name))] as const;
    const data = encodeFunctionData({
      abi: TIMELOCK,
      functionName: 'schedule',
      args: [...args, BigInt(GATE.sweepDelaySeconds)],
    });
    await world.act(failsafe, data, accountAt(2));
    return world.chain.client.readContract({
      address: failsafe,
      abi: TIMELOCK,
      functionName: 'hashOperation',
      args,
    });
  };
  const [named, unnamed] = [await announce('named'), await announce('unnamed')];
  const { operations } = await gateStatus(world.gate, world.addresses.blockNumber);
  assert.deepEqual(
    operations.map(({ id }) => id),
    [named, unnamed],
  );
  await world.checked(
    async (lines) => {
      await until(
        says(lines, new RegExp(`ALARM: the failsafe's owner announced operation ${unnamed}`)),
        lines,
      );
      await until(() => world.isOpposed(unnamed as never), lines);
      assert.equal(await world.isOpposed(named as never), false);
    },
    { env: { VENUE_CHECKER_SEEN: `operation:${named}` } },
  );
});
