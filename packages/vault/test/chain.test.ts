import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEther } from 'viem';
import { startChain } from './chain.ts';

const CHAIN = fileURLToPath(new URL('./chain.ts', import.meta.url));

test('a chain mines, is reorganised, and ends with its own id', async (t) => {
  const chain = await startChain({ chainId: 99, accounts: 3 });
  t.after(chain.stop);
  const [from, to] = chain.accounts;
  const wallet = chain.wallet(from!);
  const hash = await wallet.sendTransaction({ to: to!.address, value: parseEther('1') });
  const { blockNumber } = await chain.client.waitForTransactionReceipt({ hash });
  await chain.client.mine({ blocks: 2 });
  const before = await chain.client.getBlock({ blockNumber });
  await chain.reorg(3);
  const after = await chain.client.getBlock({ blockNumber });
  assert.equal(await chain.client.getChainId(), 99);
  assert.notEqual(after.hash, before.hash);
  assert.equal(await chain.client.getBalance({ address: to!.address }), parseEther('10000'));
  await chain.stop();
  // A cached answer does not count.
  await assert.rejects(chain.client.getBlockNumber());
});

test('a chain does not outlive a test that is killed', async () => {
  const script = `import { startChain } from ${JSON.stringify(CHAIN)};
    process.stdout.write((await startChain()).rpcUrl);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  await ask(url.toString());
  child.kill('SIGKILL');
  await once(child, 'exit');
  const deadline = Date.now() + 60_000;
  let alive = true;
  while (alive && Date.now() < deadline)
    alive = await ask(url.toString()).then(
      () => true,
      () => false,
    );
  assert.equal(alive, false);
});

function ask(url: string): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
