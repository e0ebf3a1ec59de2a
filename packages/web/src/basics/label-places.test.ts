import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Point, placeLabels, runsThrough } from './label-places.ts';

const ROOM = { left: 0, right: 100, top: 0, bottom: 100 };
const box = { left: 10, right: 20, top: 10, bottom: 20 };
const line = (...points: readonly Point[]) => points;

describe('labels that stand on no line', () => {
  it('knows a line that runs through a box from one that passes it', () => {
    assert.ok(runsThrough(line([0, 15], [30, 15]), box), 'level');
    assert.ok(runsThrough(line([15, 0], [15, 30]), box), 'upright');
    assert.ok(runsThrough(line([0, 0], [12, 12]), box), 'ends inside');
    assert.ok(runsThrough(line([0, 40], [40, 0], [14, 14]), box), 'its second part');
    assert.ok(!runsThrough(line([0, 5], [30, 5]), box), 'over it');
    assert.ok(!runsThrough(line([0, 15], [9, 15]), box), 'ends before it');
    assert.ok(!runsThrough(line([0, 25], [30, 22]), box), 'under it');
    assert.ok(!runsThrough(line([25, 0], [25, 30]), box), 'right of it');
  });

  it('takes the nearest place, and another where a line or a label is', () => {
    const ask = { at: [50, 50], width: 20, height: 10 } as const;
    const around = { room: ROOM, lines: [], taken: [] };
    const [first, second] = placeLabels([ask, ask], around);
    assert.deepEqual(first!.box, { left: 40, right: 60, top: 32, bottom: 42 });
    assert.equal(first!.anchor, 'middle');
    assert.notDeepEqual(second!.box, first!.box);
    const rising = line([0, 100], [100, 0]);
    const [beside] = placeLabels([ask], { ...around, lines: [rising] });
    assert.equal(beside!.anchor, 'end');
    assert.ok(beside!.box.right < 50 && beside!.box.bottom < 50, 'left above a line that rises to the right');
  });

  it('stays within its room, and gives no place if none is free', () => {
    const ask = { at: [1, 1], width: 20, height: 10 } as const;
    const [place] = placeLabels([ask], { room: ROOM, lines: [], taken: [] });
    assert.ok(place!.box.left >= 0 && place!.box.top >= 0);
    assert.deepEqual(placeLabels([ask], { room: ROOM, lines: [], taken: [ROOM] }), [null]);
    assert.deepEqual(placeLabels([{ ...ask, width: 120 }], { room: ROOM, lines: [], taken: [] }), [null]);
    assert.deepEqual(placeLabels([{ ...ask, at: [Number.NaN, 1] }], { room: ROOM, lines: [], taken: [] }), [
      null,
    ]);
  });
});
