import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as errors from './errors.ts';
import { OutcomeUnknownError } from './outcome.ts';

const { VenueClientError, VenueError, VenueUnreachableError, RefusedError, VenueTimeoutError } = errors;

const CODES: [errors.VenueClientError, string][] = [
  [errors.venueErrorOf(400, ''), 'refused'],
  [errors.venueErrorOf(401, ''), 'unauthorized'],
  [errors.venueErrorOf(403, ''), 'forbidden'],
  [errors.venueErrorOf(404, ''), 'not-found'],
  [errors.venueErrorOf(409, ''), 'conflict'],
  [errors.venueErrorOf(413, ''), 'too-large'],
  [errors.venueErrorOf(418, ''), 'unexpected-status'],
  [errors.venueErrorOf(429, ''), 'rate-limited'],
  [errors.venueErrorOf(503, ''), 'unavailable'],
  [new VenueUnreachableError(), 'unreachable'],
  [new VenueTimeoutError(), 'timeout'],
  [new errors.AbortedError(), 'aborted'],
  [new errors.VenueChangedError(), 'venue-changed'],
  [new OutcomeUnknownError(), 'outcome-unknown'],
];

test('every error has a code of its own and one base', () => {
  for (const [error, code] of CODES) {
    assert.equal(error.code, code);
    assert.ok(error instanceof VenueClientError && error instanceof Error, code);
  }
  assert.equal(new Set(CODES.map(([{ code }]) => code)).size, CODES.length);
});

test('instanceof tells the kinds apart', () => {
  class Own extends RefusedError {}
  const own = new Own(400, '');
  assert.ok(own instanceof Own && own instanceof RefusedError && own instanceof VenueError);
  assert.equal(new RefusedError(400, '') instanceof Own, false);
  assert.equal(new RefusedError(400, '') instanceof VenueTimeoutError, false);
  assert.equal(new VenueUnreachableError() instanceof VenueTimeoutError, false);
  assert.ok(new VenueTimeoutError() instanceof VenueUnreachableError);
  for (const other of [new Error(), null, undefined, 'text', {}, Object.create(null)])
    assert.equal(other instanceof VenueClientError, false);
});

test('instanceof holds for errors of another copy of the client', async () => {
  const copy: typeof errors = await import('./errors.ts?copy' as './errors.ts');
  assert.notEqual(copy.RefusedError, RefusedError);
  const error = copy.venueErrorOf(400, 'no');
  assert.ok(
    error instanceof RefusedError && error instanceof VenueError && error instanceof VenueClientError,
  );
  assert.equal(error instanceof errors.ConflictError, false);
});
