import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchAction } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { onSets } from '../../test/sets.ts';
import { addressOf, seriesIdOf } from '../../test/venue.ts';
import { restoreState, stateLines } from '../snapshot.ts';
import { ClientIds } from '../state/client-ids.ts';
import type { AccountIndex } from '../state/ids.ts';
import { CLIENT_ID_REMEMBERED_MS, CLIENT_IDS_REMEMBERED } from '../state/limits.ts';

const BOOK = `
  quote AAPL-C-190 bid 3.30x5 ask 3.40x5 3.50x5
`;

/** An order that closes at once, as it meets nothing. */
function unfilled(clientId: string): BatchAction {
  const order = { seriesId: seriesIdOf('AAPL-C-190'), side: 'buy', qtyMicros: 1, priceMicros: 1 } as const;
  return { type: 'place', ...order, tif: 'ioc', stp: 'taker', clientId };
}

describe('CID-1 client ids', () => {
  test('a known one places nothing, while the order is open and for a day after', () => {
    onSets(`${BOOK}batch alice buy AAPL-C-190 1 @ 3.20 id a      rested rest 1
        batch alice buy AAPL-C-210 5 @ market id a    duplicate #4
        batch bob buy AAPL-C-190 1 @ 3.20 id a        rested rest 1
        batch alice cancel a                          ok
        wait 24h
        batch alice buy AAPL-C-190 1 @ 3.20 id a      duplicate #4
        wait 1ms
        batch alice buy AAPL-C-190 1 @ 3.20 id a      rejected series expired`);
  });

  test('the newest thousand of an account that closed are known, and a snapshot knows the same', () => {
    const venue = onSets(`${BOOK}batch alice buy AAPL-C-190 1 @ 3.20 id first   rested rest 1
        batch alice cancel first                      ok`);
    const { state } = venue;
    const closeAs = (...ids: string[]) =>
      venue.apply({ kind: 'batch', account: addressOf('alice'), actions: ids.map(unfilled) });
    const ids = Array.from({ length: CLIENT_IDS_REMEMBERED - 1 }, (_, i) => `order-${i}`);
    while (ids.length > 0) closeAs(...ids.splice(0, 64));
    scenario('batch alice buy AAPL-C-190 1 @ 3.20 id first   duplicate #4', venue);
    const restored = restoreState([...stateLines(state)]);
    closeAs('one-more');
    scenario('batch alice buy AAPL-C-190 1 @ 3.20 id first   rested rest 1', venue);
    const alice = state.accountByAddress.get(addressOf('alice'))!.index;
    assert.equal(restored.clientIds.find(alice, 'first', restored.ts)?.orderId, 4);
    restored.clientIds.open(alice, 'one-more', 5_000);
    restored.clientIds.close(alice, 'one-more', restored.ts);
    assert.equal(restored.clientIds.find(alice, 'first', restored.ts), null);
  });

  test('ids that no longer count leave the memory', () => {
    const ids = new ClientIds();
    const [account, other] = [3 as AccountIndex, 4 as AccountIndex];
    for (let i = 1; i <= 3 * CLIENT_IDS_REMEMBERED; i++) {
      ids.open(account, `id-${i}`, i);
      ids.close(account, `id-${i}`, i);
    }
    assert.equal(ids.size, CLIENT_IDS_REMEMBERED);
    ids.open(other, 'open', 1);
    ids.prune(CLIENT_ID_REMEMBERED_MS + 2 * CLIENT_IDS_REMEMBERED + 1);
    ids.prune(2 * CLIENT_ID_REMEMBERED_MS + 3 * CLIENT_IDS_REMEMBERED + 2);
    assert.equal(ids.size, 1);
  });

  test('counterexample 20: a retry after the cutoff learns of its order, not that the series has expired', () => {
    onSets(`${BOOK}batch alice buy AAPL-C-190 1 @ market id a    filled 1@3.40
        wait to cutoff -60s
        batch alice buy AAPL-C-190 1 @ 3.20 id b      rested rest 1
        wait 60s
        batch alice buy AAPL-C-190 1 @ 3.20 id b      duplicate #5
        batch alice buy AAPL-C-190 1 @ 3.20 id c      rejected series expired`);
  });

  test('a rejected order leaves its id free', () => {
    onSets(`${BOOK}batch alice buy AAPL-C-190 1 @ 3.40 post-only id a   rejected post-only would trade
        batch alice buy AAPL-C-190 1 @ 3.20 post-only id a   rested rest 1`);
  });
});
