import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shippedFile } from '../test/market.ts';
import { loadMakerConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-maker-'));
after(() => rmSync(folder, { recursive: true }));

let written = 0;
/** Writes a new file and returns its path. */
function fileWith(text: string): string {
  const path = join(folder, `${++written}-surfaces.json`);
  writeFileSync(path, text);
  return path;
}

test('the maker needs only its secret', () => {
  const { parameters, ...rest } = loadMakerConfig({ VENUE_MAKER_TOKEN: 'secret' });
  assert.deepEqual(rest, {
    url: 'http://127.0.0.1:8080',
    makerToken: 'secret',
    walletKeys: null,
    paceMs: 0,
    tickMs: 250,
    metricsPort: null,
  });
  assert.equal(parameters.of('SPX').surface.rho, -0.6);
});

test('QTS-2: a key may be for all underlyings, or each have one', () => {
  const keysOf = (VENUE_MAKER_KEY: string) => loadMakerConfig({ VENUE_MAKER_KEY }).walletKeys;
  const [one, two] = [`0x${'1a'.repeat(32)}`, `0x${'2b'.repeat(32)}`];
  assert.deepEqual(keysOf(one), [{ symbol: null, key: one }]);
  assert.deepEqual(keysOf(`BTC=${one}, ETH=${two}`), [
    { symbol: 'BTC', key: one },
    { symbol: 'ETH', key: two },
  ]);
  const wrong = [
    '0x12',
    `BTC=${one},ETH=${one.toUpperCase().replace('0X', '0x')}`,
    `BTC=${one},BTC=${two}`,
    `btc=${one}`,
    `${one},${two}`,
  ];
  for (const keys of wrong)
    assert.throws(() => keysOf(keys), {
      name: 'ConfigError',
      message: /^VENUE_MAKER_KEY must be a private key/,
    });
});

test('an own parameter file is read, and VENUE_SYMBOLS sets the class of a symbol', () => {
  const file = shippedFile();
  file.symbols = { XYZ: { surface: { shortVol: 0.11 } } };
  const env = {
    VENUE_MAKER_TOKEN: 's',
    VENUE_MAKER_SURFACE: fileWith(JSON.stringify(file)),
    VENUE_SYMBOLS: 'XYZ:index',
  };
  const { surface, spread } = loadMakerConfig(env).parameters.of('XYZ');
  assert.deepEqual([surface.shortVol, surface.longVol, spread.vol], [0.11, 0.18, 0.003]);
});

for (const [name, value, message] of [
  ['VENUE_MAKER_TOKEN', undefined, /^VENUE_MAKER_TOKEN is not set/],
  ['VENUE_MAKER_TOKEN', 'two words', /^VENUE_MAKER_TOKEN must be ASCII without spaces$/],
  ['VENUE_URL', 'http://ann:pw@venue', /^VENUE_URL must be an http address without user and password$/],
  ['VENUE_URL', 'ftp://venue', /^VENUE_URL must be an http address, not "ftp:\/\/venue"$/],
  ['VENUE_MAKER_TICK_MS', '5', /^VENUE_MAKER_TICK_MS .*"5"$/],
  ['VENUE_MAKER_TICK_MS', '-500', /^VENUE_MAKER_TICK_MS .*"-500"$/],
  ['VENUE_MAKER_TICK_MS', '60000', /^VENUE_MAKER_TICK_MS .*"60000"$/],
  ['VENUE_MAKER_METRICS_PORT', 'x', /^VENUE_MAKER_METRICS_PORT must be an integer from 1 to 65535, not "x"$/],
  ['VENUE_SYMBOLS', 'BTC:coin', /^VENUE_SYMBOLS must be a list like .*"BTC:coin"$/],
  ['VENUE_MAKER_SURFACE', '/nowhere.json', /^VENUE_MAKER_SURFACE: \/nowhere\.json: cannot be read$/],
  ['VENUE_MAKER_SURFACE', fileWith('{'), /^VENUE_MAKER_SURFACE: .*surfaces\.json: no JSON: .+$/],
] as const) {
  test(`${name}=${value} is refused in one line`, () => {
    const env = { VENUE_MAKER_TOKEN: 'secret', [name]: value };
    assert.throws(() => loadMakerConfig(env), { name: 'ConfigError', message });
  });
}

test('a surface with arbitrage is refused with the name of the entry', () => {
  const file = shippedFile();
  file.symbols = { BTC: { surface: { eta: 3.5, rho: -0.5 } } };
  const env = { VENUE_MAKER_TOKEN: 's', VENUE_MAKER_SURFACE: fileWith(JSON.stringify(file)) };
  assert.throws(() => loadMakerConfig(env), /json: symbols\.BTC\.surface admits arbitrage: butterfly: eta/);
});
