/** The style sheets: contrast of text on every surface, and the sizes and weights of type. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const TOKENS = readFileSync(join(SOURCES, 'page/tokens.css'), 'utf8');

const SURFACES = ['sunken', 'page', 'raised'] as const;
const TEXTS = ['text', 'muted', 'buy', 'sell', 'accent', 'good', 'warning', 'danger'] as const;
const FILLS = ['buy', 'sell', 'accent', 'warning'] as const;
const CONTRAST_MIN = 5;
/** Figures, prices, ticket, rows, labels, units. */
const SIZES = ['28px', '20px', '15px', '13px', '12px', '11px', 'var(--input)', 'inherit'];
const WEIGHTS = ['400', '550', '650', '400 650', 'inherit'];
const TYPEFACE_BYTES_MAX = 40_000;

type Rgb = readonly [number, number, number];

const light = (token: string): Rgb => coloursOf(token)[0];
const dark = (token: string): Rgb => coloursOf(token)[1];

function coloursOf(token: string): readonly [Rgb, Rgb] {
  const found = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(TOKENS);
  assert.ok(found, `--${token} has no colours`);
  return [rgbOf(found[1]!), rgbOf(found[2]!)];
}

function rgbOf(hex: string): Rgb {
  const at = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
}

/** The luminance of the Web Content Accessibility Guidelines. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** A colour laid over another, as `color-mix` with transparent does. */
function mixed(over: Rgb, share: number, under: Rgb): Rgb {
  return over.map((part, i) => part * share + under[i]! * (1 - share)) as unknown as Rgb;
}

function shareOf(token: string): number {
  return Number(new RegExp(`--${token}: ([\\d.]+)%`).exec(TOKENS)![1]) / 100;
}

describe('the frame of the installed terminal (INST-1)', () => {
  it('has the colour of the page in both schemes', () => {
    const html = readFileSync(join(SOURCES, '../index.html'), 'utf8');
    for (const [scheme, of] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const meta = new RegExp(
        `name="theme-color" content="(#\\w{6})" media="\\(prefers-color-scheme: ${scheme}`,
      );
      assert.deepEqual(rgbOf(meta.exec(html)![1]!), of('page'));
    }
  });
});

describe('the colours of the terminal', () => {
  const schemes = [
    ['light', light],
    ['dark', dark],
  ] as const;
  for (const [scheme, of] of schemes) {
    it(`has 5:1 for every text on every surface, ${scheme}`, () => {
      const faults: string[] = [];
      const check = (name: string, text: Rgb, ground: Rgb) => {
        const ratio = contrast(text, ground);
        if (ratio < CONTRAST_MIN) faults.push(`${name} ${ratio.toFixed(2)}`);
      };
      for (const surface of SURFACES)
        for (const text of TEXTS) check(`${text} on ${surface}`, of(text), of(surface));
      for (const fill of FILLS) check(`on-accent on ${fill}`, of('on-accent'), of(fill));
      const tinted = mixed(of('text'), shareOf('in-the-money'), of('page'));
      for (const text of ['text', 'muted', 'buy', 'sell'] as const)
        check(`${text} in the money`, of(text), tinted);
      assert.deepEqual(faults, []);
    });

    it(`has an accent that is neither buy nor sell, and surfaces in three steps, ${scheme}`, () => {
      const steps = SURFACES.map((surface) => luminance(of(surface)));
      assert.equal(new Set(steps).size, 3);
      for (const side of ['buy', 'sell'] as const) {
        const apart = Math.hypot(...of('accent').map((part, i) => part - of(side)[i]!));
        assert.ok(apart > 60, `accent and ${side} are ${apart} apart`);
      }
    });
  }
});

const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')] as const);

describe('a colour means one thing', () => {
  /** The last class, attribute or element of each selector of the rules that use a colour. */
  const usersOf = (token: string) =>
    sheets.flatMap(([, text]) =>
      [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{([^{}]*)\}/g)]
        .filter(([, , rules]) => rules!.includes(`var(--${token})`))
        .flatMap(([, selectors]) => selectors!.split(',').map((one) => one.trim())),
    );

  it('buy is what buyers bid and hold, sell what sellers ask and owe', () => {
    const [ofBuy, ofSell] = [usersOf('buy'), usersOf('sell')];
    assert.ok(ofBuy.length > 8 && ofSell.length > 8, `${ofBuy.length} and ${ofSell.length} rules`);
    // Of the button that sends, the sheet has one rule for buying and one for selling.
    const isOfBuyers = /buy|\.bids?\b|\.long|^\.send$/;
    const isOfSellers = /sell|\.asks?\b|\.short/;
    assert.deepEqual(
      [
        ofBuy.filter((one) => !isOfBuyers.test(one) || isOfSellers.test(one)),
        ofSell.filter((one) => !isOfSellers.test(one) || isOfBuyers.test(one)),
      ],
      [[], []],
    );
  });

  it('gains have one as losses do', () => {
    assert.ok(usersOf('good').includes('.gain') && usersOf('danger').includes('.loss'));
  });
});

describe('the type of the terminal', () => {
  /** Values of a property that are not allowed, with their sheet. */
  const others = (property: string, allowed: readonly string[]) =>
    sheets.flatMap(([name, text]) =>
      [...text.matchAll(new RegExp(`\\b${property}: ([^;]+);`, 'g'))]
        .filter(([, value]) => !allowed.includes(value!))
        .map(([rule]) => `${name}: ${rule}`),
    );

  it('has six sizes and three weights', () => {
    assert.deepEqual(others('font-size', SIZES), []);
    assert.deepEqual(others('font-weight', WEIGHTS), []);
  });

  it('takes under 40 kB', () => {
    const { size } = statSync(join(SOURCES, 'page/inter/inter.woff2'));
    assert.ok(size > 10_000 && size < TYPEFACE_BYTES_MAX, `${size} bytes`);
  });
});
