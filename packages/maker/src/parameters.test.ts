import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippedFile, shippedParameters } from '../test/market.ts';
import { Parameters } from './parameters.ts';

test('values of a symbol override those of its class; an unknown symbol gets those of crypto', () => {
  const parameters = shippedParameters();
  assert.deepEqual(parameters.of('AAPL').size, { contracts: 100, usd: 25_000 });
  assert.deepEqual([parameters.of('AAPL').surface.shortVol, parameters.of('AAPL').surface.rho], [0.28, -0.4]);
  assert.deepEqual(parameters.of('DUST'), parameters.of('WHO'));
  assert.equal(parameters.of('DUST').surface.shortVol, 0.7);
});

type File = ReturnType<typeof shippedFile>;
for (const [what, change, message] of [
  ['a value that is not an object', () => [], /^the file must be an object$/],
  ['a file without classes', ({ symbols }: File) => ({ symbols }), /^the file\.classes is missing$/],
  ['a missing class', (file: File) => ({ ...file, classes: {} }), /^classes\.crypto is missing$/],
  [
    'an unknown class',
    (file: File) => ({ ...file, classes: { ...file.classes, bonds: {} } }),
    /^classes has no parameter bonds$/,
  ],
  [
    'an incomplete class',
    (file: File) => ({
      ...file,
      classes: { ...file.classes, equity: { ...file.classes!.equity, carry: {} } },
    }),
    /^classes\.equity\.carry\.rate is missing$/,
  ],
  [
    'an unknown value',
    (file: File) => ({ ...file, symbols: { BTC: { surface: { vol: 1 } } } }),
    /^symbols\.BTC\.surface has no parameter vol$/,
  ],
  [
    'a name that is not a symbol',
    (file: File) => ({ ...file, symbols: { ...file.symbols, 'b!': {} } }),
    /^symbols has "b!", which is no symbol$/,
  ],
  [
    'a symbol in lower case',
    (file: File) => ({ ...file, symbols: { btc: {} } }),
    /^symbols has "btc", which is no symbol$/,
  ],
  [
    'text instead of a number',
    (file: File) => ({ ...file, symbols: { BTC: { spread: { vol: '1' } } } }),
    /^symbols\.BTC\.spread\.vol must be a number from 0 to 0\.5, not "1"$/,
  ],
  [
    'a number out of range',
    (file: File) => ({ ...file, symbols: { BTC: { surface: { rho: -2 } } } }),
    /^symbols\.BTC\.surface\.rho must be a number from -0\.999 to 0\.999, not -2$/,
  ],
  [
    'a surface that admits arbitrage',
    (file: File) => ({ ...file, symbols: { BTC: { surface: { eta: 2, gamma: 0.5, rho: -0.9 } } } }),
    /^symbols\.BTC\.surface admits arbitrage: butterfly: theta phi\^2/,
  ],
] as const) {
  test(`${what} is refused`, () => {
    const file = change(shippedFile());
    assert.throws(() => new Parameters(file, new Map()), { name: 'ParametersError', message });
  });
}
