import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { comboLegsOf, imaginedLegOf } from './combo-legs.ts';

const A = 'BTC-1795827600-C-92000';
const B = 'BTC-1795827600-C-94000.5';

function assertUsage(call: () => unknown, message: RegExp): void {
  assert.throws(call, (error: unknown) => {
    assert.ok(error instanceof CommandError);
    assert.equal(error.exitCode, EXIT.usage);
    assert.match(error.message, message);
    return true;
  });
}

describe('CMB-1 legs on the command line', () => {
  it('of a combo, with a ratio or without', () => {
    assert.deepEqual(comboLegsOf([`buy:${A}`, `SELL:2:${B.toLowerCase()}`]), [
      { seriesId: A, side: 'buy', ratio: 1 },
      { seriesId: B, side: 'sell', ratio: 2 },
    ]);
  });

  const FAULTS: readonly (readonly [string[], RegExp])[] = [
    [[`buy:${A}`], /2 to 4 legs, not 1/],
    [Array(5).fill(`buy:${A}`), /2 to 4 legs, not 5/],
    [[`buy:${A}`, `hold:${B}`], /a leg is buy:\[RATIO:\]SERIES .* not "hold:/],
    [[`buy:${A}`, B], /a leg is buy:/],
    [[`buy:${A}`, `sell:11:${B}`], /the ratio of "sell:11:.* from 1 to 10/],
    [[`buy:${A}`, `sell:0.5:${B}`], /the ratio/],
    [[`buy:${A}`, 'sell:BTC'], /a series is named like/],
    [[`buy:${A}`, `sell:2:${A}`], /each leg of a combo is of another contract/],
    [[`buy:${A}`, 'sell:ETH-1795827600-C-92000'], /of one underlying/],
    [[`buy:${A}`, `sell:${B}@5`], /no price of its own/],
  ];
  for (const [words, message] of FAULTS)
    it(`${words.at(-1)} (${words.length}) is refused`, () => {
      assertUsage(() => comboLegsOf(words), message);
    });

  it('of a simulation, at a price or at the mark', () => {
    assert.deepEqual(imaginedLegOf(`buy:0.25:${A}`), { seriesId: A, side: 'buy', qty: 0.25 });
    assert.deepEqual(imaginedLegOf(`sell:1:${A}@450.5`), { seriesId: A, side: 'sell', qty: 1, price: 450.5 });
    assertUsage(() => imaginedLegOf(`buy:${A}`), /a leg is buy:QTY:SERIES/);
    assertUsage(() => imaginedLegOf(`buy:0:${A}`), /more than zero/);
    assertUsage(() => imaginedLegOf(`buy:1:${A}@`), /a leg is/);
    assertUsage(() => imaginedLegOf(`buy:1:${A}@0`), /more than zero/);
  });
});
