import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { chainAt } from '../../vault/src/chain/servers.ts';
import { Proposals } from '../../vault/src/gate/batches.ts';
import { Gate } from '../../vault/src/gate/gate.ts';
import { accountAt } from '../../vault/test/chain.ts';
import { type RpcProxy, startRpcProxy } from '../../vault/test/rpc-proxy.ts';
import { GateWorld, says, until } from '../test/gate-world.ts';
import { ChainEvents } from './chain-events.ts';

let world: GateWorld;
let lagging: RpcProxy;

before(async () => {
  world = await GateWorld.start();
  lagging = await startRpcProxy(world.chain.rpcUrl);
  // Its index of logs has none of vault and gate, its blocks and receipts are the chain's.
  lagging.tamper = ({ method, params, forward }) => {
    const isHidden = method === 'eth_getLogs' && [vault(), world.gate.address].includes(params[0].address);
    return isHidden ? [] : forward();
  };
});
after(async () => {
  await lagging.stop();
  await world.stop();
});

const vault = () => parseAddress(world.addresses.vault)!;

describe('CUS-12, CUS-18 an index of logs that lags', () => {
  test('hides no deposit from a checker that follows the chain', async () => {
    await world.checked(
      async (lines) => {
        await until(says(lines, /^checking/), lines);
        await world.paidIn(500n);
        const id = await world.propose(await world.withdraw(200));
        await until(says(lines, new RegExp(`batch ${id} follows`)), lines);
        assert.deepEqual(
          lines.filter((line) => line.startsWith('ALARM')),
          [],
        );
      },
      { env: { VENUE_RPC_URL: lagging.url } },
    );
  });

  test('hides no proposal from it, and no vote that it has given', async () => {
    const payout = await world.withdraw(150);
    await world.checked(
      async (lines) => {
        const stolen = await world.propose({ ...payout, account: parseAddress(accountAt(9).address)! });
        await until(() => world.isOpposed(stolen), lines);
        // Longer than a vote that was sent counts without being in a block.
        await world.chain.client.mine({ blocks: 40 });
        const right = await world.propose(payout);
        await until(says(lines, new RegExp(`batch ${right} follows`)), lines);
        await world.later(1);
        await until(() => lines.filter((line) => line.startsWith('done')).length >= 2, lines);
        assert.equal(
          lines.filter((line) => line.startsWith('sent')).length,
          2,
          'proposer and batch, once each',
        );
      },
      { env: { VENUE_RPC_URL: lagging.url } },
    );
  });

  test('hides a proposal of older blocks from one that caught up no longer than a minute', async () => {
    await world.chain.client.mine({ blocks: 200 });
    let nowMs = 0;
    const gate = new Gate(chainAt([lagging.url]), world.gate.address);
    const fromBlock = world.addresses.blockNumber;
    const proposals = new Proposals({ gate, fromBlock, now: () => nowMs });
    const count = async () => (await proposals.views(await gate.chain.head())).length;
    const honest = lagging.tamper;
    assert.equal(await count(), 0, 'the index hides them');
    lagging.honest();
    assert.equal(await count(), 0, 'blocks are listed once a minute');
    nowMs += 60_000;
    assert.equal(await count(), 3);
    lagging.tamper = honest;
  });

  test('is read again from the deployment, once a minute, when it hid deposits from a checker that caught up', async () => {
    await world.chain.client.mine({ blocks: 200 });
    let nowMs = 0;
    const events = new ChainEvents({
      chain: chainAt([lagging.url]),
      vault: vault(),
      fromBlock: world.addresses.blockNumber,
      now: () => nowMs,
    });
    const to = Number(await world.chain.client.getBlockNumber());
    await events.advance(to);
    const state = { custody: { deposits: await credited(), doubted: new Set() } } as never;
    const invented = () => events.inventedMicros(state, new Set(), to);
    assert.ok(invented() > 0n, 'the index hid them');
    assert.equal(await events.readDepositsAgain(to), true);
    assert.ok(invented() > 0n, 'it still does');
    lagging.honest();
    assert.equal(await events.readDepositsAgain(to), false);
    nowMs += 60_000;
    assert.equal(await events.readDepositsAgain(to), true);
    assert.equal(invented(), 0n);
  });
});

/** The deposits of the chain as a ledger has them. */
async function credited(): Promise<Map<string, object>> {
  const logs = await world.chain.client.getLogs({ address: vault(), fromBlock: 0n });
  const rows = logs
    .filter(({ topics }) => topics.length === 2)
    .map(({ topics, data, transactionHash, logIndex, blockHash, blockNumber }) => [
      `${transactionHash}:${logIndex}`,
      {
        address: parseAddress(`0x${topics[1]!.slice(26)}`),
        amountMicros: Number(BigInt(data)),
        blockHash,
        blockNumber: Number(blockNumber),
      },
    ]);
  return new Map(rows as [string, object][]);
}
