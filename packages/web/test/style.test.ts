/** The style sheets: contrast of text on every surface, sizes and weights of type, and the classes of modules. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
  /** The selectors of the rules that use a colour; of a nested rule its own part. */
  const usersOf = (token: string) =>
    sheets.flatMap(([, text]) => {
      const found: string[] = [];
      const open: string[] = [];
      for (const [, before, mark] of text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]*)([{};])/g)) {
        if (mark === '{') open.push(before!.trim());
        if (mark === ';' && before!.includes(`var(--${token})`))
          found.push(
            ...open
              .findLast((one) => !one.startsWith('@'))!
              .split(',')
              .map((one) => one.trim()),
          );
        if (mark === '}') open.pop();
      }
      return found;
    });

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

describe('the classes of the terminal', () => {
  const MODULE = /\.module\.css$/;
  const isModule = ([name]: readonly [string, string]) => MODULE.test(name);
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')] as const);

  /** For each module, the classes that the sources take from it. */
  function taken(): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map<string, Set<string>>();
    for (const [name, text] of sources)
      for (const [, variable, path] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
        const sheet = relative(SOURCES, join(SOURCES, dirname(name), path!));
        const classes = found.get(sheet) ?? new Set();
        for (const [, one] of text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))) classes.add(one!);
        found.set(sheet, classes);
      }
    return found;
  }

  it('are all used, and all there', () => {
    const used = taken();
    const faults = sheets.filter(isModule).flatMap(([name, text]) => {
      const own = new Set(classesOf(text));
      const unused = [...own].filter((one) => used.get(name)?.has(one) !== true);
      const missing = [...(used.get(name) ?? [])].filter((one) => !own.has(one));
      return [
        ...unused.map((one) => `${name}: .${one} is unused`),
        ...missing.map((one) => `${name}: no .${one}`),
      ];
    });
    assert.deepEqual(faults, []);
    assert.ok(used.size > 20, `${used.size} modules`);
  });

  /** Only tests find their elements by these. */
  const HANDLES = ['payoff-tick'];

  it('have a rule, where they are of no module', () => {
    const own = new Set(
      sheets.flatMap((one) => selected(isModule(one) ? globalsOf(one[1]) : one[1], /\.([a-z][\w-]*)/g)),
    );
    const faults = sources.flatMap(([name, text]) =>
      [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)]
        .flatMap(([, plain, mixed]) => (plain ?? mixed!).replaceAll(/\$\{[^}]*\}/g, '').match(/\S+/g) ?? [])
        .filter((one) => !own.has(one) && !HANDLES.includes(one))
        .map((one) => `${name}: no sheet has .${one}`),
    );
    assert.deepEqual(faults, []);
  });

  it('are of a module, or in a layer, so that no order of the sheets matters', () => {
    const others = sheets.filter((one) => !isModule(one) && !one[0].endsWith('tokens.css'));
    const faults = others.filter(([name, text]) => !UNLAYERED.test(name) && !isLayered(text));
    assert.deepEqual(
      faults.map(([name]) => name),
      [],
    );
  });
});

/**
 * The frame of the page, whose rules of visibility are stronger than those of its parts; the table of the chain, whose
 * classes are its data's; and the order form.
 */
const UNLAYERED = /^(?:page\/App|areas\/chain\/ChainTable|areas\/order\/.*)\.css$/;

/** The classes that a module names, without those of other sheets. */
function classesOf(text: string): string[] {
  return selected(text.replaceAll(/:global\([^)]*\)/g, ''), /\.([A-Za-z]\w*)/g);
}

/** The sheet with nothing in its selectors but the classes of other sheets. */
function globalsOf(text: string): string {
  return text.replaceAll(/[^{};]*(?=\{)/g, (selector) => selector.match(/:global\([^)]*\)/g)?.join() ?? '');
}

/** The names that a pattern finds in the selectors of a sheet. */
function selected(text: string, pattern: RegExp): string[] {
  const rules = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/"[^"]*"/g, '');
  return [...rules.matchAll(/([^{};]*)\{/g)].flatMap(([, selector]) =>
    [...selector!.matchAll(pattern)].map(([, name]) => name!),
  );
}

/** True where each rule outside of a layer is an animation, or of what the page shows before its scripts. */
function isLayered(text: string): boolean {
  const outside = text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/^@import [^;]+;$/gm, '')
    .replaceAll(/^@(?:layer|keyframes) [\w.]+ \{\n.*?^\}$/gms, '');
  return [...outside.matchAll(/([^{};]+)\{/g)].every(([, selector]) => selector!.includes('.first-sight'));
}
