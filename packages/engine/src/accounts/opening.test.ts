import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, micros, Venue } from '../../test/venue.ts';

test('ACC-2 a mark maker is opened with capital for quotes in every series, everybody else with the usual', () => {
  const venue = new Venue({
    markMakers: [addressOf('maria')],
    paperMakerCashMicros: micros('10000000'),
  });
  const cash = (name: string) => {
    venue.apply({ kind: 'open', address: addressOf(name) });
    return venue.account(name).cashMicros;
  };
  assert.deepEqual([cash('maria'), cash('alice')], [micros('10000000'), micros('100000')]);
  assert.deepEqual([cash('maria'), venue.state.fundedMicros], [micros('10000000'), micros('10100000')]);
});

test('OWN-14 the capital of a mark maker has to fit what may be paid in', () => {
  const venue = new Venue({ markMakers: [addressOf('maria')], paperMakerCashMicros: micros('5000000000') });
  assert.deepEqual(venue.apply({ kind: 'open', address: addressOf('maria') }), {
    refusal: 'tooManyAccounts',
  });
  venue.apply({ kind: 'open', address: addressOf('alice') });
});
