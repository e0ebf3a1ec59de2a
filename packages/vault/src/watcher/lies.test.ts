import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, type Json, type RpcProxy, startRpcProxy, type Tamper } from '../../test/rpc-proxy.ts';
import { type Daemon, eventually, startWorld, type Trader, type World } from '../../test/world.ts';

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
      'omits all logs of a range',
      (call) => (isRange(call) ? [] : call.forward()),
      /not those that its range listed/,
    ],
    [
      'omits one of two logs of a block',
      async (call) => (isRange(call) ? (await call.forward()).slice(1) : call.forward()),
      /not those that its range listed/,
    ],
    [
      'returns an amount that is not in the block',
      async (call) =>
        isRange(call)
          ? (await call.forward()).map((log: Json) => ({ ...log, data: `0x${'f'.padStart(64, '0')}` }))
          : call.forward(),
      /not those that its range listed/,
    ],
    [
      'returns logs of another contract',
      async (call) => changedLogs(call, { address: `0x${'55'.repeat(20)}` }),
      /in place of one of the vault/,
    ],
    ['returns removed logs', async (call) => changedLogs(call, { removed: true }), /removed/],
    [
      'returns logs of blocks outside the range',
      async (call) => changedLogs(call, { blockNumber: '0x1' }),
      /logs of other blocks/,
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
      'returns blocks that do not form a chain',
      async (call) =>
        call.method === 'eth_getBlockByNumber'
          ? { ...(await call.forward()), parentHash: `0x${'77'.repeat(32)}` }
          : call.forward(),
      /is not the child of block/,
    ],
    [
      'returns malformed numbers',
      (call) => (call.method === 'eth_blockNumber' ? 12 : call.forward()),
      /no usable head/,
    ],
    ['returns null instead of logs', (call) => (isRange(call) ? null : call.forward()), /no usable logs/],
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

async function changedLogs(call: Parameters<Tamper>[0], change: object): Promise<Json> {
  const answer = await call.forward();
  return call.method === 'eth_getLogs' ? answer.map((log: Json) => ({ ...log, ...change })) : answer;
}

function blocksOf({ fromBlock, toBlock }: Json): number {
  return Number(toBlock) - Number(fromBlock) + 1;
}

function emptyBlock(): Json {
  const hash = `0x${'11'.repeat(32)}`;
  return {
    hash,
    parentHash: hash,
    logsBloom: `0x${'00'.repeat(256)}`,
    baseFeePerGas: '0x1',
    gasLimit: '0x1c9c380',
  };
}
