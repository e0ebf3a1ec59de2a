import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isNewEntry, type Place, placeText, readAddress } from './address.ts';

const CALL = 'BTC-1764374400-C-95000';
const PUT = 'BTC-1764374400-P-97000';
const OF_EXPIRY: Place = { symbol: 'BTC', expiryTs: 1_764_374_400, seriesId: null, legs: null };
const LEGS: NonNullable<Place['legs']> = [
  { seriesId: CALL, side: 'buy', ratio: 1 },
  { seriesId: PUT, side: 'sell', ratio: 10 },
];

test('TERM-17: an address names an underlying, one of its expiries, a contract, or the legs in their order', () => {
  const places: readonly (readonly [string, Place])[] = [
    ['#BTC', { ...OF_EXPIRY, expiryTs: null }],
    ['#BTC-1764374400', OF_EXPIRY],
    [`#${CALL}`, { ...OF_EXPIRY, seriesId: CALL }],
    [`#buy1.${CALL},sell10.${PUT}`, { ...OF_EXPIRY, legs: LEGS }],
  ];
  for (const [text, place] of places) {
    assert.deepEqual(readAddress(text), { place, fault: null });
    assert.equal(placeText(place), text);
  }
  assert.deepEqual(readAddress(`#buy1.${CALL}%2Csell10.${PUT}`).place?.legs, LEGS);
  // A link may have been written by hand.
  for (const [text, place] of places)
    for (const written of [text.toLowerCase(), text.toUpperCase()])
      assert.deepEqual(readAddress(written), { place, fault: null }, written);
});

test('TERM-17: what cannot be read leads to what can, and says so without repeating it', () => {
  const many = Array.from({ length: 17 }, () => `buy1.${CALL}`).join(',');
  const nearest: readonly (readonly [string, Place | null])[] = [
    ['#<script>alert(1)</script>', null],
    ['#%E0%A4%A', null],
    ['#https://other.example/#BTC', null],
    [`#${'B'.repeat(5_000)}`, null],
    ['#BTC-', { ...OF_EXPIRY, expiryTs: null }],
    ['#BTC-soon', { ...OF_EXPIRY, expiryTs: null }],
    ['#BTC-1764374400-X-95000', OF_EXPIRY],
    [`#buy1.${CALL},`, OF_EXPIRY],
    [`#buy1.${CALL},hold1.${PUT}`, OF_EXPIRY],
    [`#buy100.${CALL}`, OF_EXPIRY],
    [`#buy1.${CALL},sell1.${CALL}`, OF_EXPIRY],
    ['#buy1.BTC', { ...OF_EXPIRY, expiryTs: null }],
    [`#${many}`, OF_EXPIRY],
  ];
  for (const [text, place] of nearest) {
    const read = readAddress(text);
    assert.deepEqual(read.place, place, text);
    assert.match(
      read.fault ?? '',
      /^(The address names|One of its legs|It names (more|a contract twice))/,
      text,
    );
  }
  for (const text of ['', '#']) assert.deepEqual(readAddress(text), { place: null, fault: null });
});

test('TERM-17: every address that is written is read back, and no mutation of one throws', () => {
  const seriesId = fc
    .record({
      symbol: fc.stringMatching(/^[A-Z][A-Z0-9]{0,10}$/).filter((symbol) => symbol !== 'ALL'),
      expiryTs: fc.integer({ min: 1, max: 99_999_999_999 }),
      right: fc.constantFrom('C', 'P'),
      strike: fc.integer({ min: 1, max: 9_999_999 }),
    })
    .map(({ symbol, expiryTs, right, strike }) => `${symbol}-${expiryTs}-${right}-${strike}`);
  const side = fc.constantFrom<'buy' | 'sell'>('buy', 'sell');
  const leg = fc
    .tuple(seriesId, side, fc.integer({ min: 1, max: 10 }))
    .map(([of, on, ratio]) => ({ seriesId: of, side: on, ratio }));
  const place = fc
    .record({ seriesId, kind: fc.nat(3), legs: fc.array(leg, { minLength: 1, maxLength: 4 }) })
    .map(({ seriesId, kind, legs }): Place => {
      const [symbol, expiry] = (kind === 3 ? legs[0]!.seriesId : seriesId).split('-');
      return {
        symbol: symbol!,
        expiryTs: kind === 0 ? null : Number(expiry),
        seriesId: kind === 2 ? seriesId : null,
        legs: kind === 3 ? legs : null,
      };
    });
  fc.assert(
    fc.property(place, (one) => assert.deepEqual(readAddress(placeText(one)), { place: one, fault: null })),
  );
  const cut = fc.record({
    at: fc.nat(120),
    remove: fc.nat(3),
    text: fc.string({ unit: 'binary', maxLength: 3 }),
  });
  fc.assert(
    fc.property(place, fc.array(cut, { maxLength: 4 }), fc.string({ unit: 'binary' }), (one, cuts, free) => {
      const mutated = cuts.reduce(
        (text, { at, remove, text: put }) => text.slice(0, at) + put + text.slice(at + remove),
        placeText(one),
      );
      for (const text of [mutated, free, `#${free}`]) {
        const read = readAddress(text);
        if (read.place !== null)
          assert.deepEqual(readAddress(placeText(read.place)), { place: read.place, fault: null });
      }
    }),
    { numRuns: 100 },
  );
});

test('TERM-17: back goes to another expiry, contract or the tray, and not through each change of its legs', () => {
  const tray = { ...OF_EXPIRY, legs: LEGS };
  assert.equal(isNewEntry(null, OF_EXPIRY), false);
  assert.equal(isNewEntry({ ...OF_EXPIRY, expiryTs: null }, OF_EXPIRY), false);
  assert.equal(isNewEntry(tray, { ...tray, legs: LEGS.slice(1) }), false);
  assert.equal(isNewEntry(OF_EXPIRY, { ...OF_EXPIRY }), false);
  assert.equal(isNewEntry(OF_EXPIRY, { ...OF_EXPIRY, seriesId: CALL }), true);
  assert.equal(isNewEntry(OF_EXPIRY, { ...OF_EXPIRY, expiryTs: 1_764_460_800 }), true);
  assert.equal(isNewEntry(OF_EXPIRY, { ...OF_EXPIRY, symbol: 'ETH', expiryTs: null }), true);
  assert.equal(isNewEntry(OF_EXPIRY, tray), true);
});
