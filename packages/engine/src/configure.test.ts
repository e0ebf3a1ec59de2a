import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARAMETERS, Venue } from '../test/venue.ts';
import { ENGINE_VERSION, NewerLogError } from './configure.ts';

test('a log that a newer node wrote to stops this one, and says what to do', () => {
  const venue = new Venue();
  const parameters = { ...PARAMETERS, version: ENGINE_VERSION + 1 };
  assert.throws(() => venue.apply({ kind: 'configure', parameters }), {
    name: NewerLogError.name,
    message: `the log is of version ${ENGINE_VERSION + 1} and this node reads up to ${ENGINE_VERSION}: upgrade it`,
  });
});

test('an older node that has not stopped yet cannot take the version back', () => {
  const venue = new Venue();
  const houseLineMicros = PARAMETERS.paperCashMicros;
  const parameters = { ...PARAMETERS, version: ENGINE_VERSION - 1, houseLineMicros };
  assert.deepEqual(venue.apply({ kind: 'configure', parameters }), { changed: false, conflict: 'version' });
  assert.equal(venue.state.parameters?.houseLineMicros, PARAMETERS.houseLineMicros);
});
