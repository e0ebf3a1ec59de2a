import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptStorage, refusedStorage } from '../../test/kept-storage.ts';
import { keptRoom, WHOLE_ROOM, withinPx } from './room.ts';

const storageWith = (state: string) => keptStorage({ 'venue-room': `{"state":${state},"version":1}` });

describe('the room of a wide screen', () => {
  it('comes back as it was left', () => {
    const storage = keptStorage();
    keptRoom(() => storage).setState({ marketPx: 420, isBookOpen: false, panel: 'What-if' });
    assert.deepEqual(keptRoom(() => storage).getState(), {
      ...WHOLE_ROOM,
      marketPx: 420,
      isBookOpen: false,
      panel: 'What-if',
    });
  });

  it('takes nothing that is not a room', () => {
    for (const kept of ['', 'null', '[', '7', '[1]', '{"marketPx":"9","bookPx":-3,"isMarketOpen":"no"}'])
      assert.deepEqual(keptRoom(() => storageWith(kept)).getState(), WHOLE_ROOM, kept);
    assert.equal(keptRoom(() => storageWith('{"bookPx":1e9}')).getState().bookPx, null);
    for (const panel of ['', '7', '<b>', 'A'.repeat(21), null])
      assert.equal(keptRoom(() => storageWith(JSON.stringify({ panel }))).getState().panel, 'Positions');
  });

  it('lasts as long as the page where storage is refused', () => {
    const store = keptRoom(refusedStorage);
    store.setState({ bookPx: 200 });
    assert.equal(store.getState().bookPx, 200);
  });

  it('stays within its bounds, and keeps its least in a small window', () => {
    assert.equal(withinPx(500.4, { least: 300, most: 800 }), 500);
    assert.equal(withinPx(100, { least: 300, most: 800 }), 300);
    assert.equal(withinPx(900, { least: 300, most: 800 }), 800);
    assert.equal(withinPx(900, { least: 300, most: 200 }), 300);
  });
});
