import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Box, begin, follow, goOn, placeOf, type Tour } from './tour.ts';

const NOTHING = { hasTicket: false, positions: 0, resting: 0 };
const WITH_TICKET = { ...NOTHING, hasTicket: true };

describe('TERM-19: the steps of the tour', () => {
  it('goes on as each is done: a price, the ticket read, the order sent, the position closed', () => {
    let tour: Tour | null = begin(NOTHING);
    const steps: (string | null)[] = [tour.step];
    const take = (next: Tour | null) => {
      tour = next;
      steps.push(tour?.step ?? null);
    };
    take(follow(tour, WITH_TICKET));
    take(goOn(tour!));
    take(follow(tour!, { ...NOTHING, positions: 1 }));
    take(follow(tour!, NOTHING));
    assert.deepEqual(steps, ['price', 'read', 'send', 'close', null]);
  });

  it('begins with the open ticket, and again with a price when it was closed unsent', () => {
    const read = begin(WITH_TICKET);
    assert.equal(read.step, 'read');
    assert.equal(follow(read, NOTHING)?.step, 'price');
    assert.equal(follow(goOn(read)!, NOTHING)?.step, 'price');
  });

  it('takes an order sent without a look at the ticket, whose close may leave with what was held before', () => {
    const tour = begin({ hasTicket: true, positions: 2, resting: 1 });
    const sent = follow(tour, { hasTicket: false, positions: 3, resting: 1 })!;
    assert.deepEqual([sent.step, sent.positionsAfter], ['close', 3]);
    const more = follow(sent, { hasTicket: false, positions: 4, resting: 1 })!;
    assert.deepEqual([more.step, more.positionsAfter], ['close', 4]);
    assert.equal(follow(more, { hasTicket: false, positions: 3, resting: 1 }), null);
    assert.equal(goOn(sent), null);
  });

  it('waits with an order that rests, until all of it has traded or it is taken back', () => {
    const tour = begin({ hasTicket: true, positions: 2, resting: 1 });
    const waits = follow(tour, { hasTicket: false, positions: 2, resting: 2 })!;
    assert.equal(waits.step, 'wait');
    assert.equal(follow(waits, { hasTicket: false, positions: 2, resting: 2 }), waits);
    assert.equal(follow(waits, { hasTicket: false, positions: 2, resting: 1 }), null);
    assert.equal(goOn(waits), waits);
    const part = follow(waits, { hasTicket: false, positions: 3, resting: 2 })!;
    assert.equal(part.step, 'wait');
    const traded = follow(part, { hasTicket: false, positions: 3, resting: 1 })!;
    assert.equal(traded.step, 'close');
    assert.equal(follow(traded, { hasTicket: false, positions: 2, resting: 1 }), null);
  });

  it('is not moved by what leaves by itself, nor by a button it does not have', () => {
    const before = begin({ ...NOTHING, positions: 2, resting: 1 });
    const tour = follow(before, { ...NOTHING, positions: 1 })!;
    assert.deepEqual([tour.step, tour.positionsBefore, tour.restingBefore], ['price', 1, 0]);
    assert.equal(follow(tour, { ...WITH_TICKET, positions: 2 })?.step, 'close');
    assert.equal(goOn(tour), tour);
  });
});

describe('TERM-19: the place of its card', () => {
  const CARD = { width: 300, height: 150 };

  it('is whole in the window and covers nothing it points at, wherever that is', () => {
    for (const room of [
      { width: 360, height: 740 },
      { width: 1_366, height: 768 },
      { width: 2_560, height: 1_440 },
    ])
      for (let left = 0; left + 60 <= room.width; left += 50)
        for (let top = 0; top + 24 <= room.height; top += 40) {
          const target: Box = { left, top, width: 60, height: 24 };
          const at = placeOf(CARD, target, room);
          assert.ok(
            at.left >= 12 && at.left + CARD.width <= room.width - 12,
            JSON.stringify({ room, target }),
          );
          assert.ok(at.top >= 12 && at.top + CARD.height <= room.height - 12);
          const isApart =
            at.left >= left + 60 ||
            at.left + CARD.width <= left ||
            at.top >= top + 24 ||
            at.top + CARD.height <= top;
          assert.ok(isApart, JSON.stringify({ room, target, at }));
        }
  });

  it('is the lower edge with nothing to point at, and the upper one with no room beside it', () => {
    const room = { width: 390, height: 844 };
    assert.deepEqual(placeOf(CARD, null, room), { left: 45, top: 682 });
    assert.deepEqual(placeOf(CARD, { left: 0, top: 80, width: 390, height: 700 }, room), {
      left: 45,
      top: 12,
    });
  });
});
