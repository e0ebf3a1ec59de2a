import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, type Command, NO_EFFECTS, type State } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import { listedState, pushOn } from '../../../test/listed.ts';
import type { Json } from '../../../test/support.ts';
import { BookContent } from './book.ts';
import { Channel, type Listener, Subscription } from './channel.ts';
import type { Content } from './content.ts';
import { SpotsContent } from './spots.ts';

/** A client of a channel, with the messages that it gets. */
function clientOf(channel: Channel): { readonly got: Json[]; readonly subscription: Subscription } {
  const got: Json[] = [];
  const listener: Listener = {
    isBehind: false,
    gather: ({ plain }) => got.push(JSON.parse(String(plain.subarray(plain.indexOf('{'))))),
    fellBehind: () => {},
    ended: () => {},
  };
  const subscription = new Subscription(listener, channel);
  channel.join(subscription);
  return { got, subscription };
}

function channelOf(state: State, content: Content): Channel {
  return new Channel({ name: 'one', content, isPrivate: false, seq: state.seq });
}

function enter(state: State, command: Command): void {
  apply(state, { seq: state.seq + 1, ts: state.ts, command }, NO_EFFECTS);
}

function bid(state: State, dollars: number): void {
  const price = (dollars * 1_000_000) as Micros;
  pushOn(state, [{ sid: 1, bids: [[price, 1_000_000 as Micros]], asks: [], iv: 0.5 }]);
}

function spot(state: State, dollars: number): void {
  const price = { symbol: 'X', source: 'a', priceMicros: (dollars * 1_000_000) as Micros };
  enter(state, { kind: 'prints', prints: [price] });
}

describe('a channel that is resumed at another node', () => {
  it('is sent whole where it changed to and fro between two ticks of this node (STR-4)', () => {
    for (const [of, change] of [
      [({ series }: State) => new BookContent(series[1]!), bid],
      [(state: State) => new SpotsContent(state), spot],
    ] as const) {
      const state = listedState();
      change(state, 100);
      const [one, other] = [channelOf(state, of(state)), channelOf(state, of(state))];
      const { got, subscription } = clientOf(one);
      one.begin(subscription, null);
      change(state, 101);
      one.tick(state.seq);
      const { seq } = got.at(-1)!;
      assert.equal(seq, state.seq);
      change(state, 100);
      const resumed = clientOf(other);
      other.tick(state.seq);
      assert.equal(other.begin(resumed.subscription, seq), false);
      assert.equal(resumed.got[0]!.type, 'snapshot');
    }
  });

  it('goes on where nothing in it happened since, whatever else did (STR-4)', () => {
    const state = listedState();
    const channel = channelOf(state, new BookContent(state.series[1]!));
    bid(state, 2);
    channel.tick(state.seq);
    const changed = state.seq;
    for (const dollars of [101, 102]) {
      spot(state, dollars);
      channel.tick(state.seq);
    }
    for (const seq of [changed, changed + 1, state.seq]) {
      const { got, subscription } = clientOf(channel);
      assert.equal(channel.begin(subscription, seq), true);
      assert.deepEqual(got, []);
    }
    assert.equal(channel.begin(clientOf(channel).subscription, changed - 1), false);
  });

  it('goes on after its very message, also where every entry may change it (STR-4)', () => {
    const state = listedState();
    const channel = channelOf(state, new SpotsContent(state));
    spot(state, 101);
    channel.tick(state.seq);
    const { seq } = state;
    bid(state, 2);
    channel.tick(state.seq);
    assert.equal(channel.begin(clientOf(channel).subscription, seq), true);
  });
});
