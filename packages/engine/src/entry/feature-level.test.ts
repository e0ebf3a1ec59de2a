import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOf, PARAMETERS, START_MS, Venue } from '../../test/venue.ts';
import { isSnapshotVersion, restoreState, snapshotVersion, stateDigest, stateLines } from '../snapshot.ts';
import { FEATURE_LEVELS, type FeatureLevel } from '../state/feature-levels.ts';
import type { VenueParameters } from '../state/parameters.ts';
import type { Command, RaisedLevel } from './command.ts';
import { decodeEntry } from './command-codec.ts';
import {
  FEATURE_LEVEL,
  FeatureLevelError,
  FIRST_FEATURE_LEVEL,
  levelInForce,
  NewerLogError,
  parametersAt,
} from './feature-level.ts';

/** A level as the next release might add it: a kind of entry, a field of an older kind, and a parameter. */
const NEXT: FeatureLevel = {
  kinds: ['sign-in'],
  isNeededFor: (command) => 'by' in command && command.by !== undefined,
  parameters: ['setLevelsMax'],
};
const NEXT_RELEASE = [...FEATURE_LEVELS, NEXT];
const NEXT_LEVEL = NEXT_RELEASE.length;

const configure = (parameters: VenueParameters | RaisedLevel): Command => ({ kind: 'configure', parameters });
const RAISE = configure({ version: NEXT_LEVEL });
const SIGN_IN: Command = { kind: 'sign-in', address: addressOf('alice'), after: 0, signed: true };
const { setLevelsMax: _, ...OLDER_PARAMETERS } = PARAMETERS;
const needsNext = (kind: string) => ({
  name: FeatureLevelError.name,
  message: `entries of kind ${kind} need feature level ${NEXT_LEVEL}, and ${FEATURE_LEVEL} is in force`,
});

/** A venue of the next release, on a log that every node of this one still reads. */
function upgraded(): Venue {
  return new Venue({ setLevelsMax: undefined as never }, NEXT_RELEASE);
}

describe('the feature level (OWN-72)', () => {
  test('of this release is the first, and no released level changes', () => {
    assert.equal(FEATURE_LEVEL, FIRST_FEATURE_LEVEL);
    assert.deepEqual(FEATURE_LEVELS, [{}]);
  });

  test('an entry of a newer level stops the node with one line that says what to do', () => {
    for (const parameters of [{ ...PARAMETERS, version: NEXT_LEVEL }, { version: NEXT_LEVEL }]) {
      assert.throws(() => new Venue().apply(configure(parameters)), {
        name: NewerLogError.name,
        message: `entry 2 (configure) was written by a newer release; upgrade this node (feature level ${NEXT_LEVEL}, and this release reads up to ${FEATURE_LEVEL})`,
      });
    }
  });

  test('an entry that this release cannot read is reported in one line, with what to do', () => {
    const entry = { seq: 7, ts: START_MS, kind: 'room', body: Buffer.from('{}') };
    const says =
      /^entry 7 \((room|toString|open)\) was written by a newer release; upgrade this node \([^\n]*\)$/;
    for (const odd of [
      entry,
      { ...entry, kind: 'toString' },
      { ...entry, kind: 'open' },
      { ...entry, kind: 'open', body: Buffer.from(`{"address":"${addressOf('bob')}","name":"Bob"}`) },
      { ...entry, kind: 'open', body: Buffer.from('two\nlines') },
    ]) {
      assert.throws(() => decodeEntry(odd), { name: NewerLogError.name, message: says });
    }
  });

  test('a raise leaves the other parameters unchanged', () => {
    const venue = upgraded();
    const before = venue.state.parameters;
    assert.deepEqual(venue.apply(RAISE), { changed: true });
    assert.deepEqual(venue.state.parameters, { ...before, version: NEXT_LEVEL });
  });

  test('never goes back, and changes once if two nodes raise it simultaneously', () => {
    const venue = upgraded();
    venue.apply(RAISE);
    const inForce = JSON.stringify(venue.state.parameters);
    for (const version of [FEATURE_LEVEL, NEXT_LEVEL])
      assert.deepEqual(venue.apply(configure({ version })), { changed: false });
    const older = { ...PARAMETERS, strikesPerSide: 3 };
    assert.deepEqual(venue.apply(configure(older)), { changed: false, conflict: 'version' });
    assert.equal(JSON.stringify(venue.state.parameters), inForce);
  });

  test('must be in force before an entry of a kind that needs it; otherwise the state is unchanged', () => {
    const venue = upgraded();
    const digest = stateDigest(venue.state);
    assert.throws(() => venue.apply(SIGN_IN), needsNext('sign-in'));
    assert.equal(stateDigest(venue.state), digest);
    venue.apply(RAISE);
    venue.apply(SIGN_IN);
    assert.ok(venue.state.accountByAddress.has(addressOf('alice')));
  });

  test('must be in force before a new field of an older kind', () => {
    const venue = upgraded();
    const release = { kind: 'release', address: addressOf('alice') } as const;
    assert.deepEqual(venue.apply(release), { refusal: 'notFound' });
    assert.throws(() => venue.apply({ ...release, by: 'ann' }), needsNext('release'));
    venue.apply(RAISE);
    assert.deepEqual(venue.apply({ ...release, by: 'ann' }), { refusal: 'notFound' });
  });

  test('must be in force before a new parameter, or come with it; parameters for lower levels are without it', () => {
    const venue = upgraded();
    assert.throws(() => venue.apply(configure(PARAMETERS)), needsNext('configure'));
    assert.deepEqual(parametersAt(FEATURE_LEVEL, PARAMETERS, NEXT_RELEASE), OLDER_PARAMETERS);
    const raised = { ...PARAMETERS, version: NEXT_LEVEL };
    assert.deepEqual(parametersAt(NEXT_LEVEL, PARAMETERS, NEXT_RELEASE), raised);
    assert.deepEqual(venue.apply(configure(raised)), { changed: true });
  });

  test('VEN-1: the first id in the log stands', () => {
    const venue = new Venue();
    const withId = (id: string): Command => ({ ...configure(PARAMETERS), venue: id }) as Command;
    assert.equal(venue.state.venue, null);
    venue.apply(withId('a'.repeat(32)));
    venue.apply(withId('b'.repeat(32)));
    assert.equal(venue.state.venue, 'a'.repeat(32));
  });

  test('is the version of a snapshot, which a release that cannot read it refuses', () => {
    const venue = upgraded();
    assert.equal(snapshotVersion(venue.state), FEATURE_LEVEL);
    venue.apply(RAISE);
    assert.equal(snapshotVersion(venue.state), NEXT_LEVEL);
    assert.deepEqual([0, FEATURE_LEVEL, NEXT_LEVEL].map(isSnapshotVersion), [false, true, false]);
    const lines = [...stateLines(venue.state)];
    assert.equal(levelInForce(restoreState(lines, NEXT_RELEASE)), NEXT_LEVEL);
    assert.throws(() => restoreState(lines), {
      name: NewerLogError.name,
      message: /^the snapshot of entry 2 was written by a newer release; upgrade this node /,
    });
  });
});
