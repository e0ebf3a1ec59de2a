import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type LocalChain, startChain } from '../../test/chain.ts';
import { Fault, type RpcProxy, startRpcProxy } from '../../test/rpc-proxy.ts';
import { mayHold } from './bloom.ts';
import { Chain } from './chain.ts';
import { ChainError, RpcRefusal } from './errors.ts';
import { each, Rpc } from './rpc.ts';

let chain: LocalChain;
let proxy: RpcProxy;
before(async () => {
  chain = await startChain();
  proxy = await startRpcProxy(chain.rpcUrl);
});
beforeEach(() => proxy.honest());
after(async () => {
  await chain.stop();
  await proxy.stop();
});

/** Nothing but a request that hangs comes to the end of its time, which a busy machine needs for the others. */
function rpcOf(url = proxy.url, kind?: Fault['kind']): Rpc {
  return new Rpc({ url, timeoutMs: kind === 'hang' ? 200 : 60_000 });
}

async function failureOf(call: Promise<unknown>): Promise<ChainError> {
  const error = await call.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ChainError);
  return error;
}

test('every way of not answering is a ChainError, and an error in the answer a refusal', async () => {
  const faults: [Fault['kind'], RegExp, boolean][] = [
    ['hang', /^eth_chainId: no answer in time$/, false],
    ['drop', /^eth_chainId: /, false],
    ['truncate', /^eth_chainId: /, false],
    ['http', /^eth_chainId: HTTP 503/, true],
    ['error', /^eth_chainId refused: told to fail$/, true],
  ];
  for (const [kind, message, isRefusal] of faults) {
    proxy.tamper = () => new Fault(kind);
    const error = await failureOf(rpcOf(proxy.url, kind).call('eth_chainId'));
    assert.match(error.message, message);
    assert.equal(error instanceof RpcRefusal, isRefusal, kind);
  }
});

test('no message holds the secret parts of the address', async () => {
  const url = proxy.url.replace('//', '//user:pass-word@');
  const key = 'k3y-of-somebody';
  for (const kind of ['hang', 'drop', 'truncate', 'http', 'error'] as const) {
    proxy.tamper = () =>
      new Fault(kind, `see ${url}/v3/${key}?auth=t0ken-of-it for ${key}, t0ken-of-it, pass-word`);
    const address = `${url}/v3/${key}?auth=t0ken-of-it`;
    const error = await failureOf(rpcOf(address, kind).call('eth_chainId'));
    assert.doesNotMatch(`${error.message} ${error.stack} ${String(error.cause)}`, /k3y|t0ken|pass-word/);
  }
  assert.equal(rpcOf(`${url}/v3/${key}`).host, new URL(proxy.url).host);
});

test('an answer that is not JSON-RPC is a ChainError', async () => {
  proxy.tamper = () => undefined;
  assert.match((await failureOf(rpcOf().call('eth_chainId'))).message, /no result/);
});

test('a stop ends a request in flight', async () => {
  const asked = Promise.withResolvers<void>();
  proxy.tamper = () => {
    asked.resolve();
    return new Fault('hang');
  };
  const stop = new AbortController();
  const call = failureOf(new Rpc({ url: proxy.url, signal: stop.signal }).call('eth_chainId'));
  await asked.promise;
  stop.abort();
  assert.doesNotMatch((await call).message, /no answer in time/);
});

test('many calls keep their order, and the first failure is thrown', async () => {
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  assert.deepEqual(
    await each(numbers, async (n) => n * 2),
    numbers.map((n) => n * 2),
  );
  await assert.rejects(
    each(numbers, async (n) => {
      if (n === 17) throw new ChainError('17');
    }),
    /17/,
  );
});

test('invalid fields are named', async () => {
  const reads = new Chain(rpcOf());
  const changes: [object, RegExp][] = [
    [{ hash: '0x12' }, /no usable hash/],
    [{ number: '12' }, /no usable number/],
    [{ number: '0xffffffffffffffff' }, /no usable number/],
    [{ logsBloom: '0x00' }, /no usable logsBloom/],
    [{ parentHash: null }, /no usable parentHash/],
    [{ baseFeePerGas: 7 }, /no usable baseFeePerGas/],
  ];
  for (const [change, message] of changes) {
    proxy.tamper = async ({ forward }) => ({ ...(await forward()), ...change });
    assert.match((await failureOf(reads.block(0))).message, message);
  }
  proxy.tamper = () => null;
  assert.equal(await reads.findBlock(3), null);
  assert.match((await failureOf(reads.block(3))).message, /does not have block 3/);
});

test('a bloom filter never denies a log that is there', () => {
  const address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' as never;
  const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const none = `0x${'00'.repeat(256)}` as const;
  const all = `0x${'ff'.repeat(256)}` as const;
  assert.equal(mayHold(all, { address, topics: [topic] }), true);
  assert.equal(mayHold(none, { address, topics: [topic] }), false);
});
