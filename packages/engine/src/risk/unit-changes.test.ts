import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onSets } from '../../test/sets.ts';
import { Venue } from '../../test/venue.ts';
import type { MarkRow } from './mark-rows.ts';
import { UnitChanges } from './unit-changes.ts';

test('QTS-4 units that more sets bound than a reader remembers are all read again with any allowance', () => {
  const venue = Venue.listed({ riskMark: 'model' });
  onSets('quote AAPL-C-200 bid - iv 0.8   kept\nprotect alice 1 AAPL qty 10', { venue });
  const { state } = venue;
  const changes = new UnitChanges();
  const take = () => changes.take(state, state.instruments.get('AAPL')!);
  for (const [owners, found] of [
    [128, []],
    [100_000, null],
  ] as const) {
    take();
    const [row, seen] = struckBy(owners);
    changes.noteRead(state, venue.series('AAPL-C-200'), row);
    assert.deepEqual([take(), seen() <= 130], [[], true], 'nothing has changed');
    const set = state.quoteSets.find(venue.account('alice').index, 1)!;
    state.quoteSets.noteChange(set);
    state.quoteSets.showChanges();
    assert.deepEqual(take(), found);
  }
});

/** The memo of a mark that sets of others bound, and how many of them have been looked at. */
function struckBy(owners: number): [MarkRow, () => number] {
  let seen = 0;
  function* struckOwners() {
    for (; seen < owners; seen++) yield -1_000 - seen;
  }
  const none = new Map();
  const row = {
    ...{ allowances: { bids: none, asks: none } },
    ...{ bids: { struckOwners: [] }, asks: { struckOwners: struckOwners() } },
  };
  return [row as unknown as MarkRow, () => seen];
}
