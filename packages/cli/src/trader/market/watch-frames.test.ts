import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FillRecord, StreamFrame } from '@venue/protocol';
import { ChannelEndedError, type Channels, RefusedError } from '@venue/sdk';
import { followAccount, followMarket } from './watch-frames.ts';

interface Told {
  onMessage(message: object): void;
  onRefused(reason: Error): void;
}

function market(symbol: string | undefined) {
  const followed = new Map<string, Told>();
  const frames: StreamFrame[] = [];
  const listen = (name: string, handlers: object) => followed.set(name, handlers as Told);
  const ended = followMarket({ listen } as unknown as Channels, symbol, (frame) => frames.push(frame));
  const tell = (name: string, message: object) => followed.get(name)!.onMessage(message);
  return { followed, frames, ended, tell };
}

const trade = (id: number) => ({ id, seriesId: 'S', price: id, qty: 1, side: 'buy', ts: 5, self: true });
const tape = (symbol: string, id: number) => ({
  ...{ type: 'tape', symbol },
  print: { seriesId: 'S', price: id, qty: 1, side: 'buy', ts: 5 },
});
const spot = (symbol: string, price: number) => ({ symbol, spot: price, feedFresh: true });

describe('the frames of the market', () => {
  it('of one underlying begin with its last trades, and have each once', () => {
    const { followed, frames, tell } = market('BTC');
    assert.deepEqual([...followed.keys()], ['trades:BTC', 'spots']);
    tell('trades:BTC', { type: 'snapshot', trades: [trade(3), trade(4)] });
    tell('trades:BTC', { type: 'snapshot', trades: [trade(4), trade(6)] });
    assert.deepEqual(
      frames,
      [3, 4, 6].map((id) => tape('BTC', id)),
    );
  });

  it('of all have the prices of all, and trades from now on', () => {
    const { followed, frames, tell } = market(undefined);
    tell('spots', { type: 'snapshot', spots: [spot('BTC', 1), spot('ETH', 2)] });
    tell('spots', { type: 'delta', spots: [spot('BTC', 3), { symbol: 'ETH', gone: true }, spot('SOL', 4)] });
    assert.deepEqual(frames, [
      { type: 'spots', spots: [spot('BTC', 1), spot('ETH', 2)] },
      { type: 'spots', spots: [spot('BTC', 3), spot('SOL', 4)] },
    ]);
    assert.deepEqual([...followed.keys()], ['spots', 'trades:BTC', 'trades:ETH', 'trades:SOL']);
    tell('trades:SOL', { type: 'snapshot', trades: [] });
    tell('trades:SOL', { type: 'delta', trades: [trade(1)] });
    tell('trades:BTC', { type: 'snapshot', trades: [trade(7)] });
    tell('trades:BTC', { type: 'delta', trades: [trade(8)] });
    assert.deepEqual(frames.slice(2), [tape('SOL', 1), tape('BTC', 8)]);
  });

  it('end with a refusal, and not with the end of a channel', async () => {
    const { followed, ended } = market('BTC');
    followed.get('trades:BTC')!.onRefused(new ChannelEndedError(400, 'ended', 'delisted'));
    followed.get('spots')!.onRefused(new RefusedError(400, 'too many channels'));
    await assert.rejects(ended, /too many channels/);
  });
});

describe('the frames of an account', () => {
  const order = (id: number) => ({
    ...{ id, seriesId: 'S', symbol: 'BTC', side: 'buy', price: 1, qty: 2, remaining: 2, ts: 5 },
    ...{ tif: 'gtc', clientId: null },
  });
  const held = (cash: number, mark: number, orders: number[]) => ({
    ...{ address: '0xa', cash, equity: mark, openOrderCount: orders.length },
    openOrders: orders.map(order),
    positions: [{ seriesId: 'S', qty: 1, mark }],
    guardAt: null,
  });

  function following() {
    const frames: StreamFrame[] = [];
    let told = () => {};
    const own = {
      account: null as object | null,
      error: null as Error | null,
      onChange: (listener: () => void) => {
        told = listener;
      },
    };
    const fills = Promise.withResolvers<FillRecord>();
    const channels = {
      account: () => own,
      async *fills() {
        yield await fills.promise;
        await new Promise(() => {});
      },
    };
    const ended = followAccount(channels as unknown as Channels, (frame) => frames.push(frame));
    const tell = (account: object, error: Error | null = null) => {
      Object.assign(own, { account, error });
      told();
    };
    return { frames, tell, fill: fills.resolve, refuse: fills.reject, ended };
  }

  it('come when more than marks has changed, the fills first', async () => {
    const { frames, tell, fill } = following();
    tell(held(10, 1, [1]));
    await sleep(5);
    assert.equal(
      JSON.stringify(frames),
      '[{"type":"account","account":{"address":"0xa","cash":10,"equity":1,"openOrderCount":1,' +
        '"openOrders":[{"id":1,"seriesId":"S","symbol":"BTC","side":"buy","price":1,"qty":2,"remaining":2,"ts":5}],' +
        '"positions":[{"seriesId":"S","qty":1,"mark":1}]}},' +
        '{"type":"orders","orders":[{"id":1,"seriesId":"S","side":"buy","price":1,"remaining":2}]}]',
    );
    tell(held(10, 2, [1]));
    await sleep(5);
    assert.equal(frames.length, 2);
    tell(held(9, 2, []));
    fill({ id: 1, orderId: 1, seriesId: 'S', side: 'buy', price: 1, qty: 2, ts: 5, taker: true } as never);
    await sleep(5);
    assert.deepEqual(
      frames.slice(2).map(({ type }) => type),
      ['fill', 'account', 'orders'],
    );
    const shown = { seriesId: 'S', side: 'buy', price: 1, qty: 2, ts: 5, taker: true };
    assert.deepEqual(frames[2], { type: 'fill', fill: shown });
    tell(held(8, 2, []));
    await sleep(5);
    assert.deepEqual(
      frames.slice(5).map(({ type }) => type),
      ['account'],
    );
  });

  it('end with the refusal of the fills', { timeout: 5_000 }, async () => {
    const { refuse, ended } = following();
    refuse(new RefusedError(401, 'revoked'));
    await assert.rejects(ended, /revoked/);
  });

  it('end with the refusal of the account', { timeout: 5_000 }, async () => {
    const { tell, ended } = following();
    tell(held(1, 1, []), new RefusedError(401, 'revoked'));
    await assert.rejects(ended, /revoked/);
  });
});
