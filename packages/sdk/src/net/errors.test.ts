import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknownError } from '../trade/outcome.ts';
import * as errors from './errors.ts';

const { VenueClientError, VenueError, VenueUnreachableError, RefusedError, VenueTimeoutError } = errors;

const OWN: [errors.VenueClientError, string][] = [
  [errors.venueErrorOf({ status: 502, message: '' }), 'sdk:not-of-the-venue'],
  [new VenueUnreachableError(), 'sdk:unreachable'],
  [new VenueTimeoutError(), 'sdk:timeout'],
  [new errors.AbortedError(), 'sdk:aborted'],
  [new errors.VenueChangedError(), 'sdk:venue-changed'],
  [new errors.DamagedFileError(), 'sdk:damaged-file'],
  [new OutcomeUnknownError(), 'sdk:outcome-unknown'],
];

test('ERR-1: an error without a refusal of the venue has a code of the client, and one base', () => {
  for (const [error, code] of OWN) {
    assert.equal(error.code, code);
    assert.ok(error instanceof VenueClientError && error instanceof Error, code);
  }
  assert.equal(new Set(OWN.map(([{ code }]) => code)).size, OWN.length);
});

const KINDS: [number, string, abstract new (...args: never[]) => errors.VenueError][] = [
  [400, 'bad-qty', RefusedError],
  [400, 'unknown-set', errors.UnknownSetError],
  [400, 'set-frozen', errors.SetFrozenError],
  [400, 'stale-push', errors.StalePushError],
  [400, 'channel-ended', errors.ChannelEndedError],
  [401, 'nonce-used', errors.UnauthorizedError],
  [403, 'wrong-credential', errors.ForbiddenError],
  [404, 'unknown-series', errors.NotFoundError],
  [409, 'deposit-conflict', errors.ConflictError],
  [413, 'body-too-large', errors.TooLargeError],
  [429, 'too-many-in-flight', errors.RateLimitedError],
  [500, 'internal', errors.UnavailableError],
];
for (const [status, code, Kind] of KINDS) {
  test(`ERR-1: ${status} ${code} is an error with that code, whatever its text`, () => {
    const error = errors.venueErrorOf({ status, message: 'some other words', code });
    assert.equal(error.constructor, Kind);
    assert.deepEqual([error.status, error.code, error.message], [status, code, 'some other words']);
    assert.match(error.helps!, /\.$/);
    assert.ok(errors.isRefusedAs(error, code as never));
  });
}

test('ERR-1: a refusal carries the amounts that its text names', () => {
  const message = 'insufficient withdrawable balance (need ~12.50, have -3.00)';
  const error = errors.venueErrorOf({ status: 400, message, code: 'insufficient-withdrawable' });
  assert.deepEqual([error.need, error.have, error.headroom], [12.5, -3, undefined]);
  assert.equal(errors.venueErrorOf({ status: 502, message: '' }).helps, null);
  const odd = { status: 400, message: 'actions[0].qty must be a number', code: 'field-wrong' };
  assert.equal(errors.venueErrorOf(odd).field, 'actions[0].qty');
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
  const error = copy.venueErrorOf({ status: 400, message: 'no' });
  assert.ok(
    error instanceof RefusedError && error instanceof VenueError && error instanceof VenueClientError,
  );
  assert.equal(error instanceof errors.ConflictError, false);
});
