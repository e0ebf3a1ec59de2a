import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Micros } from '@venue/protocol';
import { expiringHub } from '../../../test/hub-on-its-own.ts';
import { CHANNEL_LIMITS } from './hub.ts';

describe('a channel that has ended (STR-5)', () => {
  for (const [hasPrices, reason] of [
    [true, 'settled'],
    [false, 'pending-review'],
  ] as const) {
    it(`is sent its end, ${reason}, after its last change, and is subscribed to no more`, (t) => {
      const { join, tick, hub, state, name, chain, expire, beat } = expiringHub(t);
      const client = join(name);
      for (const one of [chain, 'spots', 'listing:X']) client.listen(one);
      tick();
      expire(hasPrices);
      const { seq } = state;
      for (const channel of [name, chain]) {
        const [before, last] = client.messages.filter((message) => message.channel === channel).slice(-2);
        assert.deepEqual(last, { channel, type: 'end', seq, reason });
        assert.ok(before!.type !== 'end' && before!.seq <= seq);
        assert.equal(hub.find(channel, null), reason);
      }
      beat();
      const { ended, sent } = client.messages.at(-1)!;
      assert.deepEqual(ended, [name, chain]);
      assert.deepEqual(Object.keys(sent), ['spots', 'listing:X']);
      beat();
      assert.equal(client.messages.at(-1)!.ended, undefined);
    });
  }

  it('no longer counts, however many end at once, and nothing is kept of it', (t) => {
    const { join, tick, hub, state, chain, name, expire, expiryTs } = expiringHub(t);
    const client = join(name);
    const ending = state.series.filter((series) => series.expiryTs === expiryTs);
    for (const { seriesId } of ending) client.listen(`book:${seriesId}`);
    client.listen(chain);
    tick();
    assert.equal(client.subscriptions.size, ending.length + 1);
    assert.equal(hub.channelCount, ending.length + 1);
    expire(true);
    assert.deepEqual([client.subscriptions.size, hub.channelCount], [0, 0]);
  });

  it('ends also for one who does not read, and for one whose first message is due', (t) => {
    const { push, join, tick, name, expire } = expiringHub(t);
    const slow = join(name);
    tick();
    slow.isHeld = true;
    for (let i = 1; slow.waiting <= CHANNEL_LIMITS.heldBytes; i++) {
      push(Array.from({ length: 1_000 }, (_, k) => (i % 2) * 1_000 + k + 1));
      tick();
    }
    const fresh = join(name);
    expire(true);
    slow.release();
    tick();
    for (const { messages, subscriptions } of [slow, fresh]) {
      assert.equal(messages.at(-1)!.type, 'end');
      assert.equal(subscriptions.size, 0);
    }
    assert.deepEqual(
      fresh.messages.map(({ type }) => type),
      ['end'],
    );
  });

  it('goes with its underlying, once that is no longer in force and its last series has settled', (t) => {
    const { join, tick, hub, state, expire, expiryTs } = expiringHub(t);
    const names = ['ticker:X', 'trades:X', 'listing:X'];
    const client = join('spots');
    for (const one of names) client.listen(one);
    tick();
    const x = state.instruments.get('X')!;
    x.series = x.series.filter((series) => series.expiryTs === expiryTs);
    expire(true, () => {
      x.active = false;
      tick();
      assert.ok(client.messages.every(({ type }) => type !== 'end'));
    });
    for (const one of names) {
      const last = client.messages.findLast(({ channel }) => channel === one);
      assert.deepEqual([last!.type, last!.reason], ['end', 'delisted']);
      assert.equal(hub.find(one, null), 'delisted');
    }
    assert.deepEqual([...client.subscriptions.keys()], ['spots']);
  });

  it('is none of names that never were', (t) => {
    const { hub } = expiringHub(t);
    for (const name of ['book:X-1-C-1', 'chain:X:1', 'listing:', 'listing:x', 'listing:NONE', 'listing'])
      assert.equal(hub.find(name, null), null);
  });
});

describe('the listing of an underlying (STR-5)', () => {
  it('shows its expiries, and says which come, grow and go, by the time of the log', (t) => {
    const { join, tick, state, enter, cutoffMs, expiryTs } = expiringHub(t);
    const client = join('listing:X');
    tick();
    const counts = Map.groupBy(state.series, (series) => series.expiryTs);
    const rows = [...counts].map(([ts, series]) => ({ expiryTs: ts, series: series.length }));
    assert.deepEqual(client.messages[0], {
      ...{
        channel: 'listing:X',
        type: 'snapshot',
        seq: client.messages[0]!.seq,
        symbol: 'X',
        expiries: rows,
      },
    });
    const next = rows.at(-1)!.expiryTs + 86_400;
    enter({ kind: 'maintain', expiries: [next] }, state.ts + 5_000);
    tick();
    const come = client.messages.at(-1)!;
    assert.deepEqual(come.expiries, [{ expiryTs: next, series: rows[0]!.series }]);
    enter({ kind: 'maintain', expiries: [] }, cutoffMs - 1);
    tick();
    assert.equal(client.messages.at(-1), come);
    enter({ kind: 'prints', prints: [] }, cutoffMs);
    tick();
    assert.deepEqual(client.messages.at(-1)!.expiries, [{ expiryTs, gone: true }]);
  });
});

describe('a channel (STR-4)', () => {
  it('that nobody listens to is forgotten, and takes no other of its underlying with it', (t) => {
    const { join, tick, hub, state, beat } = expiringHub(t);
    const [one, other] = [join('trades:X'), join('ticker:X')];
    tick();
    other.leave('ticker:X');
    for (let i = 0; i < 100; i++) beat();
    hub.forgetUnheard();
    assert.equal(hub.channelCount, 1);
    state.seq += 1;
    const [priceMicros, qtyMicros] = [1_000_000 as Micros, 1_000_000 as Micros];
    hub.effects.printed({
      id: 1,
      series: state.series[0]!,
      priceMicros,
      qtyMicros,
      side: 'buy',
      isSelf: false,
      ts: state.ts,
    });
    tick();
    const { type, trades } = one.messages.at(-1)!;
    assert.deepEqual([type, trades.length], ['delta', 1]);
  });
});
