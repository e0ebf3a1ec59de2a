/**
 * The pages of docs/reference/decisions: the codes that their records have, how long a record may be, and the index that
 * lists every one.
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SourceFile } from './imports.ts';
import { anchorOf } from './markdown.ts';
import { wordsOf } from './word-counts.ts';

export const DECISIONS = 'docs/reference/decisions';
const INDEX = `${DECISIONS}/README.md`;
/** Ends the part of the index that people write. */
const MARK = /^<!-- the rest is written by .+ -->$/m;

const CODE = /[A-Z]+-(?:\d+|OPEN)/g;
/** `### NUM-3, NUM-4 Value of a fill and its fee`: the codes of a record, and its title. */
const RECORD = /^### ((?:[A-Z]+-(?:\d+|OPEN)(?:, )?)+) (.+)$/gm;

/** Beyond this a record explains or describes, which pages and code do better. */
export const RECORD_WORDS_MAX = 150;

interface DecisionRecord {
  readonly codes: readonly string[];
  readonly head: string;
  readonly title: string;
  /** Words under the heading. */
  readonly words: number;
}

/** One file a topic, by path. */
export function readTopics(root: string): SourceFile[] {
  return globSync(`${DECISIONS}/*.md`, { cwd: root })
    .filter((path) => path !== INDEX)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The topic in whose file each code stands, and a sentence for each code that stands twice. */
export function codesOf(topics: readonly SourceFile[]): { codes: Map<string, string>; faults: string[] } {
  const codes = new Map<string, string>();
  const faults: string[] = [];
  for (const { path, text } of topics) {
    for (const code of recordsOf(text).flatMap((record) => record.codes)) {
      if (codes.has(code)) faults.push(`${path}: ${code} stands in ${codes.get(code)} too`);
      codes.set(code, path);
    }
  }
  return { codes, faults };
}

function recordsOf(text: string): DecisionRecord[] {
  const headings = [...text.matchAll(RECORD)];
  return headings.map(({ index, 0: heading, 1: head, 2: title }, i) => ({
    codes: head!.match(CODE) ?? [],
    head: head!,
    title: title!,
    words: wordsOf(text.slice(index + heading.length, headings[i + 1]?.index)),
  }));
}

/** A sentence for every record that is too long. */
export function lengthFaults(topics: readonly SourceFile[]): string[] {
  return topics.flatMap(({ path, text }) =>
    recordsOf(text)
      .filter(({ words }) => words > RECORD_WORDS_MAX)
      .map(({ head, words }) => `${path}: ${head} has ${words} words, more than ${RECORD_WORDS_MAX}`),
  );
}

/** The index with every record of the topics under what people wrote in `index`, or null without the mark between. */
export function indexText(index: string, topics: readonly SourceFile[]): string | null {
  const mark = MARK.exec(index);
  if (mark === null) return null;
  return [index.slice(0, mark.index + mark[0].length), ...topics.map(section)].join('\n\n').concat('\n');
}

/** `# Decisions: the log` is the title of a topic, and `The log` its heading in the index. */
function section({ path, text }: SourceFile): string {
  const file = basename(path);
  const topic = /^# (?:Decisions: )?(.+)$/m.exec(text)?.[1] ?? file;
  const rows = recordsOf(text).map(
    ({ head, title }) => `- [${head}](${file}#${anchorOf(`${head} ${title}`)}) ${title}`,
  );
  return [`## [${topic[0]!.toUpperCase()}${topic.slice(1)}](${file})`, '', ...rows].join('\n');
}

/** A sentence if the index is not what the topics make it. */
export function indexFaults(index: string, topics: readonly SourceFile[]): string[] {
  if (indexText(index, topics) === index) return [];
  return [`${INDEX}: is stale; node_modules/.bin/node scripts/citations.ts --write writes it`];
}

export function indexFaultsOf(root: string): string[] {
  return indexFaults(readFileSync(join(root, INDEX), 'utf8'), readTopics(root));
}

export function writeIndex(root: string): void {
  const text = indexText(readFileSync(join(root, INDEX), 'utf8'), readTopics(root));
  if (text === null) throw new Error(`${INDEX} has lost the line behind which the list begins`);
  writeFileSync(join(root, INDEX), text);
}
