/** The documentation's shell blocks: where they are, whether they are run, and their commands. */

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface ShellBlock {
  /** File and line, for messages. */
  readonly place: string;
  readonly text: string;
  /** Why it is not run, as stated before the block or for the whole page; null if it is run. */
  readonly notRun: string | null;
  /** True if it is run after the market has stopped. */
  readonly withoutMarket: boolean;
}

const PAGE_MARK = /^<!-- no block of this page is run on a market: (.+) -->$/m;
const FENCE =
  /(?:^<!-- (?:not run: (?<reason>.+)|(?<alone>run without a market)) -->\n+)?^```(?:sh|bash)\n(?<text>[\s\S]*?)^```$/gm;

/**
 * Every shell block of the root's pages and docs. A comment right before a block marks one that cannot be run, `<!--
 * not run: why -->`, or one that is run last, `<!-- run without a market -->`; or the whole page has `<!-- no block of
 * this page is run on a market: why -->`.
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

/** The words of a command, without quotes and leading assignments. */
export function wordsOf(command: string): string[] {
  const words = command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const first = words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word));
  return words.slice(Math.max(first, 0)).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}
