import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credit, reached } from '../../../vault/test/payouts.ts';
import { CONFIRMATIONS, OPERATOR_TOKEN, worldOf } from '../../../vault/test/world.ts';
import { runInProcess } from '../../test/in-process.ts';

test('CUS-20: reserves ends with 0, with 1 for what fails, and with 2 for what only operators can tell', async (t) => {
  const world = await worldOf(t);
  const alice = await world.trader(2);
  await credit(world, alice, 100_000_000);
  const words = [
    'reserves',
    '--url',
    world.exchange.url,
    '--rpc',
    world.chain.rpcUrl,
    '--vault',
    world.vault,
  ];
  const codeOf = async (env: Record<string, string> = {}) => (await runInProcess(words, env)).code;
  const operator = { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN };
  assert.deepEqual([await codeOf(), await codeOf(operator)], [0, 0]);

  await alice.venue.withdrawals.request(30);
  const batcher = world.pay();
  await reached(batcher, 'batch-mined');
  assert.deepEqual([await codeOf(), await codeOf(operator)], [2, 0]);
  await world.confirm(CONFIRMATIONS);
  await reached(batcher, 'batch-closed');
  assert.deepEqual([await codeOf(), await codeOf(operator)], [0, 0]);

  const log = {
    txHash: `0x${'ab'.repeat(32)}`,
    logIndex: 7,
    blockNumber: 1,
    blockHash: `0x${'cd'.repeat(32)}`,
  };
  await world.custody.deposit({ address: alice.address, amount: 1, ...log });
  assert.deepEqual([await codeOf(), await codeOf(operator)], [1, 1]);
  const { code, stdout } = await runInProcess([...words, '--json'], operator);
  const { holds, isKnown, lines } = JSON.parse(stdout);
  assert.deepEqual([code, holds, isKnown], [1, false, true]);
  assert.ok(lines.some((line: string) => line.startsWith('FAIL credited and not on the chain')));
});
