import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOf, micros, PARAMETERS, START_MS, Venue } from '../../test/venue.ts';
import { restoreState, snapshotVersion, stateDigest, stateLines } from '../snapshot.ts';
import type { VenueParameters } from '../state/parameters.ts';
import type { Command, RaisedLevel } from './command.ts';
import { decodeEntry } from './command-codec.ts';
import {
  FEATURE_LEVEL,
  FeatureLevelError,
  levelInForce,
  NewerLogError,
  parametersAt,
} from './feature-level.ts';

const configure = (parameters: VenueParameters | RaisedLevel): Command => ({ kind: 'configure', parameters });
const SIGN_IN: Command = { kind: 'sign-in', address: addressOf('alice'), after: 0, signed: true };

describe('the feature level (OWN-72)', () => {
  test('an entry of a newer level stops the node with one line that says what to do', () => {
    for (const parameters of [
      { ...PARAMETERS, version: FEATURE_LEVEL + 1 },
      { version: FEATURE_LEVEL + 1 },
    ]) {
      assert.throws(() => new Venue().apply(configure(parameters)), {
        name: NewerLogError.name,
        message: `entry 2 (configure) was written by a newer release; upgrade this node (feature level ${FEATURE_LEVEL + 1}, and this release reads up to ${FEATURE_LEVEL})`,
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
    const venue = new Venue({ version: 1 });
    const before = venue.state.parameters;
    assert.deepEqual(venue.apply(configure({ version: 2 })), { changed: true });
    assert.deepEqual(venue.state.parameters, { ...before, version: 2 });
  });

  test('never goes back, and changes once if two nodes raise it simultaneously', () => {
    const venue = new Venue({ version: 1 });
    venue.apply(configure({ version: 2 }));
    const inForce = JSON.stringify(venue.state.parameters);
    for (const version of [1, 2]) assert.deepEqual(venue.apply(configure({ version })), { changed: false });
    const older = { ...PARAMETERS, version: 1, strikesPerSide: 3 };
    assert.deepEqual(venue.apply(configure(older)), { changed: false, conflict: 'version' });
    assert.equal(JSON.stringify(venue.state.parameters), inForce);
  });

  test('must be in force before an entry that needs it; otherwise the state is unchanged', () => {
    const venue = new Venue({ version: 1 });
    const digest = stateDigest(venue.state);
    assert.throws(() => venue.apply(SIGN_IN), {
      name: FeatureLevelError.name,
      message: 'entries of kind sign-in need feature level 2, and 1 is in force',
    });
    assert.equal(stateDigest(venue.state), digest);
    venue.apply(configure({ version: 2 }));
    venue.apply(SIGN_IN);
    assert.ok(venue.state.accountByAddress.has(addressOf('alice')));
  });

  test('VEN-1: an id comes with the level that knows ids, and the first one stands', () => {
    const venue = new Venue({ version: 3 });
    const raise = (id: string): Command => ({ kind: 'configure', parameters: { version: 4 }, venue: id });
    venue.apply({ kind: 'configure', parameters: { version: 3 } });
    assert.equal(venue.state.venue, null);
    venue.apply(raise('a'.repeat(32)));
    venue.apply(raise('b'.repeat(32)));
    assert.equal(venue.state.venue, 'a'.repeat(32));
  });

  test('VEN-1: an id below that level stops the node', () => {
    const early: Command = { kind: 'configure', parameters: { version: 3 }, venue: 'a'.repeat(32) };
    assert.throws(() => new Venue({ version: 3 }).apply(early), {
      name: FeatureLevelError.name,
      message: 'entries of kind configure need feature level 4, and 3 is in force',
    });
  });

  test('RSK-1 RSK-5 parameters of marks and jumps need their level, and parameters for lower levels are without them', () => {
    const later = {
      riskMark: 'model',
      markMakers: [addressOf('alice')],
      impactMicros: micros('1000'),
    } as const;
    const early = { ...PARAMETERS, ...later, version: 4 };
    const venue = new Venue({ version: 4 });
    assert.throws(() => venue.apply(configure(early)), {
      name: FeatureLevelError.name,
      message: 'entries of kind configure need feature level 5, and 4 is in force',
    });
    assert.deepEqual(parametersAt(4, early), { ...PARAMETERS, version: 4 });
    assert.deepEqual(parametersAt(5, early), { ...early, version: 5 });
    const stops = { ...early, jumpStopBps: 1_500 };
    assert.deepEqual(parametersAt(6, stops), { ...early, version: 6 });
    assert.deepEqual(parametersAt(7, stops), { ...stops, version: 7 });
    const custody = { ...stops, payoutMinMicros: micros('1'), houseLineFunded: true } as const;
    assert.deepEqual(parametersAt(2, custody), { ...PARAMETERS, version: 2 });
  });

  test('DRM-1 a batch that names a margin mode needs its level, whatever else is in it', () => {
    const venue = new Venue({ version: 5 });
    const account = venue.account('alice').address!;
    const actions = [
      { type: 'guard', ms: 5_000 },
      { type: 'margin-mode', mode: 'defined-risk' },
    ] as const;
    assert.throws(() => venue.apply({ kind: 'batch', account, actions }), {
      name: FeatureLevelError.name,
      message: 'entries of kind batch need feature level 6, and 5 is in force',
    });
    venue.apply({ kind: 'configure', parameters: { version: 6 } });
    venue.apply({ kind: 'batch', account, actions });
    assert.equal(venue.account('alice').marginMode, 'defined-risk');
  });

  test('OPS-2 the name of an operator needs its level, whatever was done', () => {
    const venue = new Venue({ version: 6, fundingMode: 'deposits', marginPremium: 'intrinsic' });
    const release = { kind: 'release', address: addressOf('alice') } as const;
    assert.deepEqual(venue.apply(release), { refusal: 'nothingHeld' });
    assert.throws(() => venue.apply({ ...release, by: 'ann' }), {
      name: FeatureLevelError.name,
      message: 'entries of kind release need feature level 7, and 6 is in force',
    });
  });

  test('is part of a snapshot, which a release that cannot read it refuses', () => {
    const venue = new Venue({ version: 1 });
    assert.equal(snapshotVersion(venue.state), 3);
    venue.apply(configure({ version: 2 }));
    assert.equal(snapshotVersion(venue.state), 4);
    const lines = [...stateLines(venue.state)];
    assert.equal(levelInForce(restoreState(lines)), 2);
    const newer = lines.map((line) => line.replace('"version":2', `"version":${FEATURE_LEVEL + 1}`));
    assert.throws(() => restoreState(newer), {
      name: NewerLogError.name,
      message: /^the snapshot of entry 2 was written by a newer release; upgrade this node /,
    });
  });
});
