/**
 * Checks all that people read. In Markdown: repeated words, articles, phrases with a plainer form, and the opening lines
 * that state a page's readers. In code, contracts, styles, settings and the descriptions of the API: the same phrases in
 * comments and texts, and the first words of doc comments.
 *
 *   node_modules/.bin/node scripts/prose.ts
 */

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { unified } from 'unified';
import { VFile } from 'vfile';
import { type MarkdownNode, nodesIn, textOf, treeOf } from './markdown.ts';
import { readableOf } from './readable.ts';

const PAGES = ['*.md', 'docs/**/*.md'];
const SOURCES = [
  '{packages,scripts,tests,bench,examples}/**/*.{ts,tsx,mjs,sol,css,html,sh}',
  'deploy/**/*.{yml,yaml,json,conf,service,timer,env}',
  'deploy/**/{bin/*,Dockerfile,make-*}',
  '{scripts,packages/*/sim}/**/*.json',
  'docs/**/*.yaml',
];
const GENERATED = new Set(['node_modules', 'dist', 'out', 'cache', 'packed']);

/** Faults that stay: texts that the contract fixes byte for byte, of which none has such a phrase, and this check's plants. */
const EXEMPT: readonly RegExp[] = [/^scripts\/prose\.test\.ts:/];

/** Phrases that sound translated, wherever they stand, each with a replacement. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:so)?ever\b/i, '"anyone who", "a client that"'],
  [/\banew\b/i, '"again", or say what is made'],
  [/\bfor\s+ever\b/i, '"forever", "permanently"'],
  [/\bhad\s+better\b/i, '"should"'],
  [/\b(?:is\s+to|can)\s+be\s+had\b/i, '"available"'],
  [/\bis\s+told\s+of\b/i, '"hears of", "receives"'],
  [/\bbe\s+it\b/i, '"whether … or"'],
  [/\bof\s+its\s+own\s+accord\b/i, '"by itself"'],
  [/\ball\s+the\s+same\b/i, '"anyway", "still"'],
  [/\bdearest\b/i, '"highest", "most expensive"'],
  [/\breckon(?:s|ed|ing)?\b/i, '"estimates", "counts"'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix", "repair"'],
  [/\bwhere\s+there\s+is\s+none\b/i, '"if there is none"'],
  [/\bthat\s+there\s+is\s+not\b/i, '"unknown", "missing"'],
  [/\bas\s+it\s+were\b/i, 'leave it out'],
  [/\bby\s+and\s+by\b/i, '"gradually"'],
];

/** Phrases that only pages are checked for besides. */
const PLAINER: readonly (readonly [RegExp, string])[] = [
  ...PHRASES,
  [/(?:^|[.!] )Who [^?]*$/, 'name who does it: "A trader who …", "To scale, run …"'],
  [/\bin the place of\b/i, '"instead of", "in place of"'],
  [/\bto be had\b/i, '"available"'],
  [/\bis to be\b/i, '"must be", "will be"'],
  [/\btakes? no look\b/i, '"does not look"'],
  [/\b(?:utilize|leverage|seamless(?:ly)?|simply|just works)\b/i, 'leave it out'],
];

/** A doc comment names its subject first: "True if …", "The price that …". */
const HEADLESS =
  /(?:\/\*\*[\s*]*|(?<!\/\/\/.*\n[ \t]*)\/\/\/ |(?:\/\/\/|\*) @(?:notice|dev|returns?|param \w+) )(?:What|Whether|Of)\b.*/g;

/** Pronounced letter by letter, which a rule that reads words cannot know. */
const SPELT = /before `http`/;

/** `For operators. After this page you can restore a log.` */
const OPENING = /^For [^.]+\. After this page you can .+\.$/s;

/** Faults of one page, one line each, with their position. */
export async function proseFaults(path: string, page: string): Promise<string[]> {
  const file = new VFile({ path, value: page });
  const english = unified().use(retextEnglish);
  english.use(retextIndefiniteArticle).use(retextRepeatedWords);
  const tree = treeOf(file);
  plainWords(tree, file);
  if (path !== 'README.md') opening(tree, file);
  await unified()
    .use(remarkRetext, english)
    .run(tree as never, file);
  return file.messages
    .filter(({ reason }) => !SPELT.test(reason))
    .map(({ place, reason }) => `${path}:${lineOf(place)}: ${reason}`)
    .sort();
}

/** Faults of the comments and texts of a source file, one line each. */
export function sourceFaults(path: string, text: string): string[] {
  const readable = readableOf(path, text);
  const phrases = PHRASES.flatMap(([phrase, plainer]) =>
    [...readable.matchAll(new RegExp(phrase, 'gi'))].map((found) => ({ found, plainer })),
  );
  const heads = [...text.matchAll(HEADLESS)].map((found) => ({ found, plainer: '"True if …", or a noun' }));
  return [...phrases, ...heads]
    .sort((a, b) => a.found.index - b.found.index)
    .map(({ found: { 0: said, index }, plainer }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: "${said.replace(/\s+/g, ' ').slice(0, 60)}": ${plainer}`;
    });
}

function lineOf(place: VFile['messages'][number]['place']): number {
  if (place === undefined || place === null) return 1;
  return 'start' in place ? place.start.line : place.line;
}

function plainWords(tree: MarkdownNode, file: VFile): void {
  for (const { value = '', position } of nodesIn(tree, ['text']))
    for (const [phrase, plainer] of PLAINER) {
      const found = phrase.exec(value)?.[0];
      if (found !== undefined) file.message(`"${found.slice(0, 40)}": ${plainer}`, { place: position });
    }
}

function opening({ children = [] }: MarkdownNode, file: VFile): void {
  const title = children.findIndex(({ type }) => type === 'heading');
  const first = children.slice(title + 1).find(({ type }) => type === 'paragraph');
  if (first === undefined || !OPENING.test(textOf(first)))
    file.message('the first paragraph has to be "For …. After this page you can ….": for whom, and what for');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const faultsOf = async (path: string) => {
    const text = readFileSync(join(root, path), 'utf8');
    return path.endsWith('.md') ? await proseFaults(path, text) : sourceFaults(path, text);
  };
  const exclude = (path: string) => GENERATED.has(basename(path));
  for (const path of globSync([...PAGES, ...SOURCES], { cwd: root, exclude }).sort()) {
    const faults = (await faultsOf(path)).filter((fault) => !EXEMPT.some((exempt) => exempt.test(fault)));
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  }
}
