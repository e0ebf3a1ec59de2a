// @process vault-watcher
// @seconds 106

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, type Json, type RpcProxy, startRpcProxy, type Tamper } from '../../test/rpc-proxy.ts';
import { type Daemon, eventually, startWorld, type Trader, type World } from '../../test/world.ts';

const NOT_ITS_RECEIPTS = /the receipts of block \d+ are not those that its header names/;
const NOT_ITS_HASH = /the header of block \d+ does not have the hash/;

/** The same chain through an untrustworthy server. Every deposit must be credited, once, when it is honest again. */
describe('watcher and an RPC that fails or lies', () => {
  let world: World;
  let proxy: RpcProxy;
  let alice: Trader;
  let watcher: Daemon;
  let creditedMicros = 0;

  before(async () => {
    world = await startWorld();
    proxy = await startRpcProxy(world.chain.rpcUrl);
    alice = await world.trader(2);
    watcher = world.watch({ VENUE_RPC_URL: `${proxy.url}/v2/a-secret-key?token=another-secret` });
    await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
  });
  beforeEach(() => {
    watcher.lines.length = 0;
  });
  after(async () => {
    await world.stop();
    await proxy.stop();
  });

  const faults: [string, Fault][] = [
    ['answers with an error', new Fault('error', 'limit of a-secret-key exceeded')],
    ['answers 503', new Fault('http', 'busy: https://rpc/v2/a-secret-key?token=another-secret')],
    ['truncates its answers', new Fault('truncate')],
    ['drops connections', new Fault('drop')],
  ];
  for (const [what, fault] of faults)
    test(`one that ${what}`, () => isOvercome(() => fault, /^cannot go on, trying again: eth_\w+/));

  const lies: [string, Tamper, RegExp][] = [
    [
      'leaves out the receipts of a block',
      (call) => (call.method === 'eth_getBlockReceipts' ? [] : call.forward()),
      NOT_ITS_RECEIPTS,
    ],
    [
      'leaves out one of two receipts',
      async (call) => (isReceipts(call) ? (await call.forward()).slice(1) : call.forward()),
      NOT_ITS_RECEIPTS,
    ],
    [
      'returns an amount that is not in the block',
      (call) => changedLogs(call, { data: `0x${'f'.padStart(64, '0')}` }),
      NOT_ITS_RECEIPTS,
    ],
    [
      'returns logs of another contract',
      (call) => changedLogs(call, { address: `0x${'55'.repeat(20)}` }),
      NOT_ITS_RECEIPTS,
    ],
    [
      'says that a deposit failed',
      async (call) =>
        isReceipts(call)
          ? (await call.forward()).map((receipt: Json) => ({ ...receipt, status: '0x0' }))
          : call.forward(),
      NOT_ITS_RECEIPTS,
    ],
    [
      'hides a block with deposits by an empty bloom',
      (call) => changedBlock(call, { logsBloom: `0x${'00'.repeat(256)}` }),
      NOT_ITS_HASH,
    ],
    [
      'names receipts that are not those of the block',
      (call) => changedBlock(call, { receiptsRoot: `0x${'11'.repeat(32)}` }),
      NOT_ITS_HASH,
    ],
    [
      'names a head that does not exist',
      (call) => (call.method === 'eth_blockNumber' ? '0xffffff' : call.forward()),
      /head 16777215 .* does not exist/,
    ],
    [
      'returns blocks of another height',
      (call) =>
        call.method === 'eth_getBlockByNumber' ? { ...emptyBlock(), number: '0x2' } : call.forward(),
      /block 2 in place of/,
    ],
    [
      'changes the parent of a block',
      (call) => changedBlock(call, { parentHash: `0x${'77'.repeat(32)}` }),
      NOT_ITS_HASH,
    ],
    [
      'returns malformed numbers',
      (call) => (call.method === 'eth_blockNumber' ? 12 : call.forward()),
      /no usable head/,
    ],
    [
      'returns null instead of receipts',
      (call) => (isReceipts(call) ? null : call.forward()),
      /no usable receipts/,
    ],
  ];
  for (const [what, tamper, message] of lies) test(`one that ${what}`, () => isOvercome(tamper, message));

  test('one whose head falls far behind: nothing is undone, and nothing is missed', async () => {
    await isOvercome(
      (call) => (call.method === 'eth_blockNumber' ? '0x5' : call.forward()),
      /head went back from block \d+ to 5/,
    );
  });

  async function isOvercome(tamper: Tamper, message: RegExp): Promise<void> {
    proxy.tamper = tamper;
    await sleep(30);
    await world.chain.client.setAutomine(false);
    await world.deposit(alice, 1_000_000, { isMined: false });
    await world.deposit(alice, 2_000_000, { isMined: false });
    await world.chain.client.mine({ blocks: 1 });
    await world.chain.client.setAutomine(true);
    await world.confirm();
    await eventually(`it says ${message}`, () => watcher.lines.some((line) => message.test(line)));
    assert.equal(await world.cashMicros(alice), creditedMicros, 'nothing is credited meanwhile');
    proxy.honest();
    creditedMicros += 3_000_000;
    await world.hasCash(alice, creditedMicros);
    assert.ok(!watcher.lines.some((line) => /secret/.test(line)), watcher.lines.join('\n'));
  }
});

test('CUS-12: a deposit that the index of logs does not have yet is still credited', async (t) => {
  const world = await startWorld();
  const proxy = await startRpcProxy(world.chain.rpcUrl);
  t.after(async () => {
    await world.stop();
    await proxy.stop();
  });
  const alice = await world.trader(2);
  proxy.tamper = (call) => (call.method === 'eth_getLogs' ? [] : call.forward());
  world.watch({ VENUE_RPC_URL: proxy.url });
  await world.deposit(alice, 1_000_000);
  await world.confirm();
  await world.hasCash(alice, 1_000_000);
});

test('a long range of logs that its blocks do not have is not trusted', async (t) => {
  const world = await startWorld();
  const proxy = await startRpcProxy(world.chain.rpcUrl);
  t.after(async () => {
    await world.stop();
    await proxy.stop();
  });
  const alice = await world.trader(2);
  await world.deposit(alice, 1_000_000);
  await world.confirm(400);
  const watcher = world.watch({ VENUE_RPC_URL: proxy.url });
  const lies: [object, RegExp][] = [
    [{ data: `0x${'f'.padStart(64, '0')}` }, /are not those that its range listed/],
    [{ removed: true }, /removed/],
    [{ blockNumber: '0xfffff' }, /logs of other blocks/],
  ];
  for (const [change, message] of lies) {
    proxy.tamper = async (call) => {
      const answer = await call.forward();
      return isRange(call) ? answer.map((log: Json) => ({ ...log, ...change })) : answer;
    };
    await eventually(`it says ${message}`, () => watcher.lines.some((line) => message.test(line)));
    assert.equal(await world.cashMicros(alice), 0);
  }
  proxy.honest();
  await world.hasCash(alice, 1_000_000);
});

test('refused ranges shrink to what is allowed, with progress shown, and grow back', async (t) => {
  const world = await startWorld();
  const proxy = await startRpcProxy(world.chain.rpcUrl);
  t.after(async () => {
    await world.stop();
    await proxy.stop();
  });
  const alice = await world.trader(2);
  for (let i = 0; i < 3; i++) {
    await world.deposit(alice, 1_000_000);
    await world.confirm(300);
  }
  proxy.tamper = (call) =>
    isRange(call) && blocksOf(call.params[0]) > 100 ? new Fault('error', 'range too wide') : call.forward();
  const watcher = world.watch({ VENUE_RPC_URL: proxy.url });
  await world.hasCash(alice, 3_000_000);
  await watcher.stop();
  assert.match(watcher.lines.join('\n'), /catching up: block \d+ of 9\d\d, \d+ %, \d+ new deposits so far/);
  const widths = proxy.calls.filter(isRange).map(({ params }) => blocksOf(params[0]));
  assert.ok(Math.max(...widths) > 400 && widths.filter((width) => width <= 100).length >= 9, widths.join());

  proxy.honest();
  proxy.calls.length = 0;
  await world.confirm(900);
  const again = world.watch({ VENUE_RPC_URL: proxy.url });
  await eventually('all is read', () => again.lines.some((line) => /following/.test(line)));
  assert.ok(proxy.calls.filter(isRange).some(({ params }) => blocksOf(params[0]) > 800));
});

test('a long range is not trusted if one answer lacks logs that the other has', async (t) => {
  const world = await startWorld();
  const proxy = await startRpcProxy(world.chain.rpcUrl);
  t.after(async () => {
    await world.stop();
    await proxy.stop();
  });
  const alice = await world.trader(2);
  await world.deposit(alice, 1_000_000);
  await world.confirm(400);
  proxy.tamper = (call) => (isRange(call) && blocksOf(call.params[0]) > 250 ? [] : call.forward());
  const watcher = world.watch({ VENUE_RPC_URL: proxy.url });
  await eventually('it noticed', () =>
    watcher.lines.some((line) => /two answers on the logs of blocks/.test(line)),
  );
  assert.equal(await world.cashMicros(alice), 0);
  proxy.honest();
  await world.hasCash(alice, 1_000_000);
});

function isRange({ method, params }: { method: string; params: Json[] }): boolean {
  return method === 'eth_getLogs' && params[0].fromBlock !== undefined;
}

function isReceipts({ method }: { method: string }): boolean {
  return method === 'eth_getBlockReceipts';
}

/** The receipts of a block with every log changed. */
async function changedLogs(call: Parameters<Tamper>[0], change: object): Promise<Json> {
  const answer = await call.forward();
  if (!isReceipts(call)) return answer;
  return answer.map((receipt: Json) => ({
    ...receipt,
    logs: receipt.logs.map((log: Json) => ({ ...log, ...change })),
  }));
}

async function changedBlock(call: Parameters<Tamper>[0], change: object): Promise<Json> {
  const answer = await call.forward();
  return call.method === 'eth_getBlockByNumber' ? { ...answer, ...change } : answer;
}

function blocksOf({ fromBlock, toBlock }: Json): number {
  return Number(toBlock) - Number(fromBlock) + 1;
}

function emptyBlock(): Json {
  const hash = `0x${'11'.repeat(32)}`;
  return {
    hash,
    parentHash: hash,
    receiptsRoot: hash,
    logsBloom: `0x${'00'.repeat(256)}`,
    baseFeePerGas: '0x1',
    gasLimit: '0x1c9c380',
    timestamp: '0x1',
  };
}
