/**
 * Checks that no client tells a refusal by its text (ERR-1). A breach is a string that is a text of the catalogue or the
 * beginning of one with amounts, a regular expression that matches one, or a text taken from the catalogue's tables.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from '../packages/protocol/src/messages/catalogue.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENTS = ['sdk', 'cli', 'web', 'maker', 'crowd', 'feed', 'vault', 'checker'];
const FILES = [...CLIENTS.map((name) => `packages/${name}/src/**/*.{ts,tsx}`), 'examples/**/*.{ts,mjs,js}'];
/** A single word is too common to be one of the venue's texts. */
const TEXTS = [...CATALOGUE.values()].filter((text) => text.includes(' '));
const BEGINNINGS = TEXTS.filter((text) => text.includes('{'))
  .map((text) => text.slice(0, text.indexOf('{')))
  .filter((beginning) => beginning.trim().includes(' '))
  .map((beginning) => beginning.replace(/ \(need ~$/, ''));
const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g;
const EXPRESSION = /(?<=[(,=:?!&|]\s*|^\s*)\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm;
const TABLE = /\b(?:REJECT|BATCH_REJECT|ROW_REJECT|AMOUNT_REJECT)\.\w+|\b\w*MESSAGES\.\w+\.error\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm;
/** Texts that no expression about refusals matches. */
const OTHERS = [
  '',
  'zq',
  'Zq 90',
  'zq-zq',
  '0.5',
  '0xff',
  'zq zq zq',
  'zq\nzq',
  'zq: (zq)',
  'zq, zq',
  'zq of zq',
];

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One sentence for each breach. */
export function findTextMatches({ path, text }: SourceFile): string[] {
  const code = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));
  const strings = [...code.matchAll(STRING)].map((match) => ({
    at: match.index,
    said: match[1] ?? match[2]!,
  }));
  const breaches = [
    ...strings.filter(({ said }) => isText(said)),
    ...[...code.matchAll(EXPRESSION)]
      .filter(([, source, flags]) => matchesText(source!, flags!))
      .map((match) => ({ at: match.index, said: match[0] })),
    ...[...code.matchAll(TABLE)].map((match) => ({ at: match.index, said: match[0] })),
  ];
  return breaches.map(({ at, said }) => {
    const line = code.slice(0, at).split('\n').length;
    return `${path}:${line}: tells a refusal by its text (${said}); compare its code`;
  });
}

function isText(said: string): boolean {
  return TEXTS.includes(said) || BEGINNINGS.some((beginning) => said.startsWith(beginning.trimEnd()));
}

function matchesText(source: string, flags: string): boolean {
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  return TEXTS.some((text) => expression.test(text)) && !OTHERS.some((text) => expression.test(text));
}

if (import.meta.main) {
  const paths = globSync(FILES, { cwd: ROOT }).filter((path) => !/\.test\.tsx?$/.test(path));
  const breaches = paths.flatMap((path) =>
    findTextMatches({ path, text: readFileSync(join(ROOT, path), 'utf8') }),
  );
  for (const breach of breaches) console.error(breach);
  if (breaches.length > 0) process.exitCode = 1;
}
