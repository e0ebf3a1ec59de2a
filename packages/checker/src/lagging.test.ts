import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { chainAt } from '../../vault/src/chain/servers.ts';
import { type RpcProxy, startRpcProxy } from '../../vault/test/rpc-proxy.ts';
import { GateWorld, says, until } from '../test/gate-world.ts';
import { ChainDeposits } from './deposits.ts';

let world: GateWorld;
let lagging: RpcProxy;

before(async () => {
  world = await GateWorld.start();
  lagging = await startRpcProxy(world.chain.rpcUrl);
  // Its index of logs has none of the vault's, its blocks and receipts are the chain's.
  lagging.tamper = ({ method, params, forward }) => {
    const isOfVault = method === 'eth_getLogs' && params[0].address === vault();
    return isOfVault ? [] : forward();
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

  test('is read again from the deployment, once a minute, when it hid deposits from a checker that caught up', async () => {
    await world.chain.client.mine({ blocks: 200 });
    let nowMs = 0;
    const deposits = new ChainDeposits({
      chain: chainAt([lagging.url]),
      vault: vault(),
      fromBlock: world.addresses.blockNumber,
      now: () => nowMs,
    });
    const to = Number(await world.chain.client.getBlockNumber());
    await deposits.advance(to);
    const state = { custody: { deposits: await credited(), doubted: new Set() } } as never;
    const invented = () => deposits.inventedMicros(state, new Set(), to);
    assert.ok(invented() > 0n, 'the index hid them');
    assert.equal(await deposits.readAgain(to), true);
    assert.ok(invented() > 0n, 'it still does');
    lagging.honest();
    assert.equal(await deposits.readAgain(to), false);
    nowMs += 60_000;
    assert.equal(await deposits.readAgain(to), true);
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
