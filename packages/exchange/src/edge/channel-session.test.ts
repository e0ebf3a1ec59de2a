import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, type Command, NO_EFFECTS } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { listedState } from '../../test/listed.ts';
import type { Connection } from '../stream/channels/connection.ts';
import { ChannelSession, type SessionParts } from './channel-session.ts';

const ADDRESS = `0x${'1'.repeat(40)}` as Address;

describe('the rows that a subscription has written (STR-3)', () => {
  const state = listedState();
  const enter = (command: Command) => apply(state, { seq: state.seq + 1, ts: state.ts, command }, NO_EFFECTS);
  const [series] = [state.series[1]!];
  enter({ kind: 'open', address: ADDRESS });
  enter({ kind: 'margin', account: ADDRESS, enabled: true });
  const order = { kind: 'order', account: ADDRESS, seriesId: series.seriesId } as const;
  for (let n = 0; n < 3; n++) enter({ ...order, side: 'sell', qtyMicros: 1_000, priceMicros: 1_000_000 });
  for (let n = 1; n < 6; n++) enter({ ...order, side: 'buy', qtyMicros: 1_000, priceMicros: n });
  const account = state.accountByAddress.get(ADDRESS)!;
  const parts = { services: { state } } as unknown as SessionParts;
  const of = (holder: object | null) => new ChannelSession(parts, { holder } as unknown as Connection);
  const subscribe = (...channels: (string | { channel: 'fills'; after: number })[]) =>
    ({ id: 1, op: 'subscribe', channels }) as const;

  it('are those of the open orders and of the fills that are missed', () => {
    const session = of({ account });
    const [first] = [account.fills.at(0).id];
    assert.equal(account.fills.size, 3);
    assert.equal(session.rowsOf(subscribe('orders', 'account', `book:${series.seriesId}`)), 5);
    assert.equal(session.rowsOf(subscribe({ channel: 'fills', after: first })), 2);
    assert.equal(session.rowsOf(subscribe('fills')), 0);
    assert.equal(session.rowsOf({ id: 1, op: 'ping' }), 0);
  });

  it('are none before a sign-in, which the channels are refused to', () => {
    assert.equal(of(null).rowsOf(subscribe('orders', { channel: 'fills', after: 1 })), 0);
  });
});
