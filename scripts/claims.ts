/**
 * Checks what pages claim of the code: docs/reference/signing.md has every signed text, as the vectors have it.
 *
 *   node_modules/.bin/node scripts/claims.ts
 */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './imports.ts';

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

function faultsOf(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return signingFaults(read(SIGNING), { files: protocolFiles(root), vectors: JSON.parse(read(VECTORS)) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsOf(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
