import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, micros, Venue } from '../test/venue.ts';
import type { Command } from './entry/command.ts';
import { stateDigest } from './snapshot.ts';
import { WARM_UP_COMMANDS, WarmUp } from './warm-up.ts';

test('warming up changes nothing, whether or not the commands name existing things', () => {
  const venue = Venue.listed();
  const { seriesId } = venue.series('AAPL-C-190');
  const wanted = { side: 'buy', qtyMicros: micros('1'), priceMicros: micros('3') } as const;
  const alice = venue.account('alice').address!;
  const known = { kind: 'order', account: alice, seriesId, ...wanted } as const;
  const rested = venue.apply(known);
  assert.ok('orderId' in rested);
  const commands: (Command | undefined)[] = [
    known,
    { ...known, account: addressOf('nobody'), seriesId: 'nothing' },
    { kind: 'cancel-order', account: alice, orderId: rested.orderId },
    { kind: 'cancel-order', account: addressOf('nobody'), orderId: rested.orderId + 1 },
    { kind: 'open', address: addressOf('nobody') },
    undefined,
  ];
  const before = stateDigest(venue.state);
  const warmUp = new WarmUp();
  for (const count of [0, 1, commands.length, WARM_UP_COMMANDS + 1]) {
    warmUp.look(
      venue.state,
      Array.from({ length: count }, (_, i) => commands[i % commands.length]),
    );
  }
  assert.equal(stateDigest(venue.state), before);
  venue.checkReplay();
});
