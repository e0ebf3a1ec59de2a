import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { startChain } from '../../test/chain.ts';
import { startRpcProxy } from '../../test/rpc-proxy.ts';
import { judgeSignature } from './contract-signature.ts';
import { chainAt } from './servers.ts';

const MAGIC = `1626ba7e${'00'.repeat(28)}`;
/** Accepts everything, or where the base fee or the gas price is zero. */
const ALWAYS = `0x7f${MAGIC}5f5260205ff3` as const;
const BY_BASE_FEE = `0x7f${MAGIC}481502${'5f5260205ff3'}` as const;
const BY_GAS_PRICE = `0x7f${MAGIC}3a1502${'5f5260205ff3'}` as const;

describe('CUS-19 what nodes of different clients answer about a contract', () => {
  test('a contract that answers by the base fee or the gas price accepts nothing, at any of them', async (t) => {
    const chain = await startChain();
    t.after(() => chain.stop());
    await chain.client.mine({ blocks: 1 });
    // geth and erigon set the base fee to zero in a call that offers no price, anvil does not.
    const geth = await startRpcProxy(chain.rpcUrl);
    t.after(() => geth.stop());
    geth.tamper = ({ method, params, forward }) => {
      if (method === 'eth_call' && params[0].gasPrice === undefined) params.push({}, { baseFee: '0x0' });
      return forward();
    };
    const at = Number(await chain.client.getBlockNumber());
    for (const [bytecode, verdict] of [
      [ALWAYS, 'valid'],
      [BY_BASE_FEE, 'invalid'],
      [BY_GAS_PRICE, 'invalid'],
    ] as const) {
      const address = parseAddress(`0x${'cc'.repeat(20)}`)!;
      await chain.client.setCode({ address, bytecode });
      const signed = { address, text: 'text', signature: '0x' } as const;
      for (const url of [chain.rpcUrl, geth.url])
        assert.equal(await judgeSignature(chainAt([url]), signed, at), verdict, `${bytecode} at ${url}`);
    }
  });
});
