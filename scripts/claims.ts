/**
 * Checks what pages claim of the code: docs/reference/signing.md has every signed text, as the vectors have it, and
 * figures are those of the limits and of the variables that they name.
 *
 *   node_modules/.bin/node scripts/claims.ts
 */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '@venue/config';
import type { SourceFile } from './imports.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const SIGNING = 'docs/reference/signing.md';
const VECTORS = 'packages/protocol/vectors/envelopes.json';

/** A row of the vectors, as far as the page shows it. */
export interface SignedVector {
  readonly text: string;
  readonly privateKey: string;
  readonly digest: string;
  readonly signature: string;
  readonly address: string;
  readonly fields: object;
}

/** The first line of a text that is built by `text(…)` in the protocol. */
const HEAD = /\btext\(\s*'(Venue[^']*)'/g;
/** A section of the page: its heading, and the first block of code in it. */
const SECTION = /^### `(Venue[^`]*)`\n((?:(?!^#).*\n)*)/gm;
const BLOCK = /^```text\n([\s\S]*?)\n```$/m;
const HEX = /`(0x[0-9a-f]{40,})`/g;

/**
 * Every signed text without its section or its vectors, and every section without a text, one sentence each. The block
 * of a section must be the text of a vector, byte for byte, and that of a batch one with a line for each type of action.
 */
export function signingFaults(
  page: string,
  { files, vectors }: { readonly files: readonly SourceFile[]; readonly vectors: readonly SignedVector[] },
): string[] {
  const heads = new Set(files.flatMap(({ text }) => [...text.matchAll(HEAD)].map(([, head]) => head!)));
  const sections = new Map([...page.matchAll(SECTION)].map(([, head, body]) => [head!, body!]));
  const texts = new Set(vectors.map(({ text }) => text));
  const signed = new Set([...texts].map(headOf));
  return [
    ...[...heads].filter((head) => !sections.has(head)).map((head) => `${SIGNING}: no section \`${head}\``),
    ...[...heads].filter((head) => !signed.has(head)).map((head) => `${VECTORS}: no vector of \`${head}\``),
    ...[...sections.keys()]
      .filter((head) => !heads.has(head))
      .map((head) => `${SIGNING}: the protocol has no text \`${head}\``),
    ...[...sections].flatMap(([head, body]) => blockFaults(head, body, texts)),
    ...actionFaults(sections, vectors),
    ...hexFaults(page, vectors),
  ];
}

function blockFaults(head: string, body: string, texts: ReadonlySet<string>): string[] {
  const block = BLOCK.exec(body)?.[1];
  if (block === undefined) return [`${SIGNING}: \`${head}\` shows no text`];
  return headOf(block) === head && texts.has(block)
    ? []
    : [`${SIGNING}: \`${head}\` shows no text of a vector`];
}

/** The batch shows, and explains in its table, a line for every type of action that the vectors have. */
function actionFaults(sections: ReadonlyMap<string, string>, vectors: readonly SignedVector[]): string[] {
  const types = new Set(
    vectors.flatMap(({ fields }) =>
      'actions' in fields ? (fields.actions as readonly { type: string }[]).map(({ type }) => type) : [],
    ),
  );
  const batch = sections.get('Venue batch v1') ?? '';
  return [...types]
    .filter((type) => !batch.includes(`\n${type} `) || !batch.includes(`\n| \`${type}\` |`))
    .map((type) => `${SIGNING}: the batch does not show or explain the line of \`${type}\``);
}

/** Keys, digests and signatures of the page are those of one vector. */
function hexFaults(page: string, vectors: readonly SignedVector[]): string[] {
  const shown = [...page.matchAll(HEX)].map(([, hex]) => hex!);
  const isShown = ({ privateKey, digest, signature, address }: SignedVector) => {
    const own = [privateKey, digest, signature, address];
    return shown.every((hex) => own.includes(hex)) && own.every((hex) => shown.includes(hex));
  };
  return vectors.some(isShown) ? [] : [`${SIGNING}: its key, digest and signature are not those of a vector`];
}

function headOf(text: string): string {
  return text.slice(0, text.indexOf('\n'));
}

/** The sources in which signed texts are built. */
export function protocolFiles(root: string): SourceFile[] {
  return globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/node_modules/**'] })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const PAGES = ['*.md', 'docs/**/*.md'];
const NUMBER = String.raw`(\d[\d,]*(?:\.\d+)?)(?: ?(ms|s|minutes?|hours?|days?|kB|MB|MiB|%))?`;
/** `30 s<!-- quoteTtlMs -->`: a figure, and the limit or the variable that it is. */
const MARKED = new RegExp(`${NUMBER}<!-- (\\w+) -->`, 'g');
const MARK = /<!-- \w+ -->/g;
/** A variable with its default behind it in brackets: `VENUE_QUOTE_TTL_MS` (30 s). */
const BRACKETED = new RegExp(`\`(VENUE_\\w+)\` \\(${NUMBER}(?: by default)?\\)`, 'g');
const FACTORS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, minute: 60_000, minutes: 60_000, hour: 3_600_000, hours: 3_600_000 },
  ...{ day: 86_400_000, days: 86_400_000, kB: 1_024, MB: 1_048_576, MiB: 1_048_576 },
};

/** Every figure of a page that is not the limit or the default that it says to be, one sentence each. */
export function figureFaults({ path, text }: SourceFile, values: Readonly<Record<string, number>>): string[] {
  const marked = [...text.matchAll(MARKED)];
  const figures = [
    ...marked.map(([, number, unit, name]) => ({ name: name!, number: number!, unit })),
    ...[...text.matchAll(BRACKETED)].map(([, name, number, unit]) => ({
      name: name!,
      number: number!,
      unit,
    })),
  ];
  const marks = text.match(MARK)?.length ?? 0;
  return [
    ...figures.flatMap(({ name, number, unit }) => {
      const shown = Number(number.replaceAll(',', '')) * (FACTORS[unit ?? ''] ?? 1);
      const value = values[name];
      if (shown === value) return [];
      return `${path}: ${number}${unit === undefined ? '' : ` ${unit}`} is not ${name}, ${value === undefined ? 'which nothing has' : `which is ${value}`}`;
    }),
    ...(marks > marked.length ? [`${path}: a mark stands behind no figure`] : []),
  ];
}

/** The limits by name, and the defaults of variables. */
function valuesOf(): Record<string, number> {
  const defaults = Object.entries(VARIABLES).flatMap(([name, { default: value }]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(defaults) };
}

function faultsOf(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const values = valuesOf();
  const pages = globSync(PAGES, { cwd: root }).sort();
  return [
    ...signingFaults(read(SIGNING), { files: protocolFiles(root), vectors: JSON.parse(read(VECTORS)) }),
    ...pages.flatMap((path) => figureFaults({ path, text: read(path) }, values)),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsOf(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
