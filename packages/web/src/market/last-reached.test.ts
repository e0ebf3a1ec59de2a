import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keptStorage, refusedStorage } from '../../test/kept-storage.ts';
import { createStores } from '../terminal/stores.ts';
import { agoText, keepReached, lastReachedMs } from './last-reached.ts';

const NOW_MS = 1_700_000_000_000;

it('keeps when the venue was last reached, and says nothing of it while it was not (INST-2)', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const kept = keptStorage();
  const storage = () => kept;
  const { link } = createStores();
  let nowMs = NOW_MS;
  keepReached(storage, link, () => nowMs);
  assert.equal(lastReachedMs(storage, nowMs), null);
  link.setState({ state: 'live' });
  nowMs += 10_000;
  t.mock.timers.tick(10_000);
  assert.equal(lastReachedMs(storage, nowMs), NOW_MS + 10_000);
  link.setState({ state: 'offline' });
  nowMs += 60_000;
  t.mock.timers.tick(60_000);
  assert.equal(kept.values.get('venue-reached'), `${NOW_MS + 10_000}`);
});

it('takes no time that cannot be, and none from storage that is refused (INST-2)', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  for (const value of ['', 'soon', '-5', '0', 'Infinity', `${NOW_MS + 1}`, '{"ms":1}'])
    assert.equal(
      lastReachedMs(() => keptStorage({ 'venue-reached': value }), NOW_MS),
      null,
      value,
    );
  assert.equal(lastReachedMs(refusedStorage, NOW_MS), null);
  const { link } = createStores();
  keepReached(refusedStorage, link, () => NOW_MS);
  link.setState({ state: 'live' });
});

it('says an age in one unit', () => {
  const minuteMs = 60_000;
  const told = [0.5, 1, 90, 121, 47 * 60, 49 * 60].map((minutes) => agoText(minutes * minuteMs));
  const first = 'less than a minute ago';
  assert.deepEqual(told, [first, '1 min ago', '90 min ago', '2 h ago', '47 h ago', '2 days ago']);
});
