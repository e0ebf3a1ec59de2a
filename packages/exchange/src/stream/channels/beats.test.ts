import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type HeldClient, hubOnItsOwn } from '../../../test/hub-on-its-own.ts';
import type { Json } from '../../../test/support.ts';
import { CHANNEL_LIMITS } from './hub.ts';

const BEAT_MS = CHANNEL_LIMITS.beatMs;

/** A hub whose time the test moves on, in ticks and looks for due beats. */
function timed(t: TestContext) {
  let ms = 0;
  let isCurrent = true;
  const own = hubOnItsOwn(t, { elapsedMs: () => ms, isCurrent: () => isCurrent });
  const pass = (forMs: number) => {
    for (const untilMs = ms + forMs; ms < untilMs; ms += 50) {
      own.tick();
      own.hub.beat();
    }
  };
  const loseTouch = () => {
    isCurrent = false;
  };
  const wait = (forMs: number) => {
    ms += forMs;
  };
  return { ...own, pass, wait, loseTouch };
}

const beatsOf = ({ messages }: HeldClient): Json[] => messages.filter(({ type }) => type === 'beat');

describe('the beats of a connection (STR-5)', () => {
  it('come within 5 s, name each channel that was sent something, and nothing where nothing was', (t) => {
    const { push, join, pass, state, name } = timed(t);
    const client = join(name);
    client.listen('spots');
    pass(BEAT_MS);
    const [snapshot] = client.messages.filter(({ channel }) => channel === name);
    assert.deepEqual(beatsOf(client), [
      { type: 'beat', seq: state.seq, sent: { [name]: snapshot!.seq, spots: client.messages[1]!.seq } },
    ]);
    pass(2 * BEAT_MS);
    assert.deepEqual(beatsOf(client).slice(1), [
      { type: 'beat', seq: state.seq },
      { type: 'beat', seq: state.seq },
    ]);
    push([7]);
    pass(BEAT_MS);
    assert.deepEqual(beatsOf(client).at(-1), { type: 'beat', seq: state.seq, sent: { [name]: state.seq } });
  });

  it('come at the same pace while a channel is busy', (t) => {
    const { push, join, pass, state, name } = timed(t);
    const client = join(name);
    for (let i = 0; i < 40; i++) {
      push([i + 1]);
      pass(BEAT_MS / 10);
    }
    assert.equal(beatsOf(client).length, 4);
    for (const { seq, sent } of beatsOf(client)) assert.ok(seq === sent[name] && seq <= state.seq);
  });

  it('follow the messages that they name, and not one that is yet to be sent', (t) => {
    const { push, join, tick, wait, hub, state, name } = timed(t);
    const client = join(name);
    tick();
    const { seq } = state;
    const sent = { [name]: client.messages[0]!.seq };
    push([7]);
    wait(BEAT_MS);
    hub.beat();
    assert.deepEqual(beatsOf(client), [{ type: 'beat', seq, sent }]);
  });

  it('stand still for a client that is held back, and name what it was sent once it has all', (t) => {
    const { push, join, pass, state, name } = timed(t);
    const slow = join(name);
    pass(BEAT_MS);
    slow.isHeld = true;
    for (let i = 1; slow.waiting <= CHANNEL_LIMITS.heldBytes; i++) {
      push(Array.from({ length: 1_000 }, (_, k) => (i % 2) * 1_000 + k + 1));
      pass(50);
    }
    const complete = state.seq;
    push([7]);
    pass(2 * BEAT_MS);
    slow.release();
    const held = beatsOf(slow).slice(1);
    assert.ok(held.length >= 2);
    for (const beat of held) assert.deepEqual(beat, { type: 'beat', seq: complete });
    pass(BEAT_MS);
    assert.deepEqual(beatsOf(slow).at(-1), { type: 'beat', seq: state.seq, sent: { [name]: state.seq } });
  });

  it('do not come to a connection without channels, nor from a node out of touch with its log', (t) => {
    const { join, pass, hub, loseTouch, wait, name } = timed(t);
    const [none, one] = [join(name), join(name)];
    none.leave(name);
    pass(BEAT_MS);
    assert.deepEqual([beatsOf(none).length, beatsOf(one).length], [0, 1]);
    loseTouch();
    wait(3 * BEAT_MS);
    hub.beat();
    assert.equal(beatsOf(one).length, 1);
  });

  it('cost less than a tenth of what four changes a second of 512 books do', (t) => {
    const { hub, join, pass, state, name } = timed(t);
    const client = join(name);
    const names = state.series.slice(2, 513).map(({ seriesId }) => `book:${seriesId}`);
    for (const one of names) client.listen(one);
    pass(BEAT_MS);
    assert.equal(hub.clients.size, 1);
    const [beat] = beatsOf(client);
    assert.equal(Object.keys(beat!.sent).length, 512);
    const bytes = Buffer.byteLength(JSON.stringify(beat));
    const delta = { channel: name, type: 'delta', prevSeq: 1_234_567, seq: 1_234_567, bids: [[1.5, 2]] };
    assert.ok(bytes < (512 * 4 * 5 * JSON.stringify(delta).length) / 10, `${bytes} bytes`);
  });
});
