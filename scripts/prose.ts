/**
 * Checks the prose of the README and the documentation: repeated words, articles, phrases with a plainer form, and the
 * opening lines that state a page's readers.
 *
 *   node_modules/.bin/node scripts/prose.ts
 */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';

const PAGES = ['*.md', 'docs/**/*.md'];

/** Phrases that sound translated or say too little, each with a replacement. */
const PLAINER: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[.!] )Who(?:ever)? [^?]*$/, 'name who does it: "A trader who …", "To scale, run …"'],
  [/\b(?<!^)(?<![.!] )whoever\b/i, '"anyone who", "a client that"'],
  [/\banew\b/i, '"again", or say what is made'],
  [/\bfor ever\b/i, '"forever", "permanently"'],
  [/\bin the place of\b/i, '"instead of", "in place of"'],
  [/\bhad better\b/i, '"should"'],
  [/\bto be had\b/i, '"available"'],
  [/\bis to be\b/i, '"must be", "will be"'],
  [/\b(?:mends?|mended|mending)\b/i, '"fix", "repair"'],
  [/\breckons?\b/i, '"estimates", "counts"'],
  [/\btakes? no look\b/i, '"does not look"'],
  [/\b(?:utilize|leverage|seamless(?:ly)?|simply|just works)\b/i, 'leave it out'],
];

/** Pronounced letter by letter, which a rule that reads words cannot know. */
const SPELT = /before `http`/;

/** `For operators. After this page you can restore a log.` */
const OPENING = /^For [^.]+\. After this page you can .+\.$/s;

interface Text {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Text[];
}

/** Faults of one page, one line each, with their position. */
export async function proseFaults(path: string, page: string): Promise<string[]> {
  const file = new VFile({ path, value: page });
  const english = unified().use(retextEnglish);
  english.use(retextIndefiniteArticle).use(retextRepeatedWords);
  const tree = unified().use(remarkParse).parse(file);
  plainWords(tree as Text, file);
  if (path !== 'README.md') opening(tree as Text, file);
  await unified().use(remarkParse).use(remarkRetext, english).run(tree, file);
  return file.messages
    .filter(({ reason }) => !SPELT.test(reason))
    .map(({ place, reason }) => `${path}:${lineOf(place)}: ${reason}`)
    .sort();
}

function lineOf(place: VFile['messages'][number]['place']): number {
  if (place === undefined || place === null) return 1;
  return 'start' in place ? place.start.line : place.line;
}

function plainWords(tree: Text, file: VFile): void {
  visit(tree as never, 'text', (node: { readonly value: string; readonly position?: never }) => {
    for (const [phrase, plainer] of PLAINER) {
      const found = phrase.exec(node.value)?.[0];
      if (found !== undefined) file.message(`"${found.slice(0, 40)}": ${plainer}`, { place: node.position });
    }
  });
}

function opening({ children = [] }: Text, file: VFile): void {
  const title = children.findIndex(({ type }) => type === 'heading');
  const first = children.slice(title + 1).find(({ type }) => type === 'paragraph');
  if (first === undefined || !OPENING.test(textOf(first)))
    file.message('the first paragraph has to be "For …. After this page you can ….": for whom, and what for');
}

function textOf({ value, children = [] }: Text): string {
  return value ?? children.map(textOf).join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  for (const path of globSync(PAGES, { cwd: root }).sort()) {
    const faults = await proseFaults(path, readFileSync(join(root, path), 'utf8'));
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  }
}
