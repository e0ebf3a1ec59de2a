/** The shell blocks of the documentation: where they stand, whether they are run, and the commands in them. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface ShellBlock {
  /** File and line, for whoever has to mend it. */
  readonly place: string;
  readonly text: string;
  /** Why it is not run: said before the block, or for the whole page; null for one that is. */
  readonly notRun: string | null;
  /** Whether it is run once the market has stopped. */
  readonly withoutMarket: boolean;
}

const PAGE_MARK = /^<!-- no block of this page is run: (.+) -->$/m;
const FENCE =
  /(?:^<!-- (?:not run: (?<reason>.+)|(?<alone>run without a market)) -->\n+)?^```(?:sh|bash)\n(?<text>[\s\S]*?)^```$/gm;

/**
 * Every shell block of the pages beside the README and of docs. One that cannot be run has a comment right before it,
 * `<!-- not run: why -->`, one that is run last `<!-- run without a market -->`, or its page has one, `<!-- no block of this page is run: why -->`.
 */
export function shellBlocks(): ShellBlock[] {
  return documents().flatMap(({ path, text }) => blocksOf(path, text));
}

export interface Document {
  readonly path: string;
  readonly text: string;
}

export function documents(): Document[] {
  return globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
    .sort()
    .map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
}

export function blocksOf(path: string, page: string): ShellBlock[] {
  const ofPage = PAGE_MARK.exec(page)?.[1] ?? null;
  return [...page.matchAll(FENCE)].map(({ groups, index }) => ({
    place: `${path}:${page.slice(0, index).split('\n').length}`,
    text: groups!.text!,
    notRun: groups!.reason ?? ofPage,
    withoutMarket: groups!.alone !== undefined,
  }));
}

/** The commands of a block, each on one line, without comments. */
export function commandsOf({ text }: Pick<ShellBlock, 'text'>): string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** The words of a command, quotes and assignments before it taken away. */
export function wordsOf(command: string): string[] {
  const words = command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const first = words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word));
  return words.slice(Math.max(first, 0)).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}
