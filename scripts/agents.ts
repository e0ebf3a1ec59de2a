/**
 * Generates what a venue serves to agents: llms.txt (llmstxt.org) from docs/README.md and the first lines of the pages it
 * lists, and skill.md from the command's help, the OpenAPI contract, the limits and an example that the tests run.
 *
 *   node_modules/.bin/node scripts/agents.ts            writes both
 *   node_modules/.bin/node scripts/agents.ts --check    fails where one is out of date
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '@venue/protocol/wire';
import { parse } from 'yaml';
import { program } from '../packages/cli/src/program.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { cellsOf, linksIn, withoutLinks } from './markdown.ts';
import { SKILL } from './skill-text.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const INDEX = 'docs/README.md';
/** The index of the decisions lists their topics. */
const LISTED_ELSEWHERE = /^docs\/reference\/decisions\/(?!README)/;

/** Reads a file of the repository. */
export type Read = (path: string) => string;

/** The list of pages in the form of llmstxt.org. Links lead to the same page in the repository and at a venue. */
export function llmsText(read: Read): string {
  const [title, summary] = paragraphsOf(read('README.md'));
  const sections = read(INDEX)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading, ...rows] = section.split('\n');
      return `## ${heading}\n\n${rows.flatMap((row) => entriesOf(row, read)).join('\n')}\n`;
    });
  return `${title}\n\n> ${summary}\n\n${sections.join('\n')}`;
}

/** The pages that a row of the index links, each with its first paragraph or, if it is no page, the row's own words. */
function entriesOf(row: string, read: Read): string[] {
  const [pages = '', words = ''] = cellsOf(row);
  return linksIn(pages).map((link) => {
    const path = join(dirname(INDEX), link.file);
    const isPage = path.startsWith('docs/') && path.endsWith('.md');
    const line = isPage ? paragraphsOf(read(path))[1]! : words;
    return `- [${titled(link.words)}](${path}): ${withoutLinks(line)}`;
  });
}

/** The second link of a row begins with a small letter; a file keeps its name. */
function titled(name: string): string {
  return name.includes('.') ? name : name.charAt(0).toUpperCase() + name.slice(1);
}

/** The title of a page and its first paragraph. */
function paragraphsOf(page: string): string[] {
  return page.split('\n\n').map((paragraph) => paragraph.trim().replaceAll('\n', ' '));
}

/** Pages that the index forgets or lists twice, one sentence each. */
export function listingFaults(index: string, pages: readonly string[]): string[] {
  const listed = linksIn(index).map(({ file }) => join(dirname(INDEX), file));
  const forgotten = pages.filter(
    (path) => path !== INDEX && !LISTED_ELSEWHERE.test(path) && !listed.includes(path),
  );
  const twice = listed.filter((path, at) => listed.indexOf(path) < at);
  return [
    ...forgotten.map((path) => `${INDEX}: it does not list ${path}`),
    ...twice.map((path) => `${INDEX}: it lists ${path} twice`),
  ];
}

/** Every page below docs, sorted. */
export function pagesIn(root: string): string[] {
  return globSync('docs/**/*.{md,yaml}', { cwd: root }).sort();
}

/** Each mark of the text, `{{kind: names}}` on a line of its own, as the table or the program that it stands for. */
export function skillText(read: Read): string {
  return SKILL.replace(/^\{\{(\w+): (.+)\}\}$/gm, (_, kind: string, names: string) => {
    const list = names.split(', ');
    if (kind === 'commands') return table(['command', 'what it does'], list.map(commandRow));
    if (kind === 'operations') return table(['request', 'what it answers'], operationRows(read, list));
    if (kind === 'limits') return table(['limit', 'by default', 'what it bounds'], list.map(limitRow));
    if (kind === 'program') return `\`\`\`ts\n${read(names).replace(/^\/\*\*[\s\S]*?\*\/\n\n/, '')}\`\`\``;
    if (kind === 'table') return tableUnder(names, read);
    throw new Error(`no part of skill.md is called ${kind}`);
  });
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replace(/^\| ---.*$/m, (line) => line.replaceAll(' ', ''));
}

type Command = ReturnType<typeof program>;
const wholeCommand = program();

function commandRow(name: string): string[] {
  const command = name
    .split(' ')
    .reduce<Command | undefined>(
      (above, word) => above?.commands.find((one) => one.name() === word),
      wholeCommand,
    );
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const words = command.registeredArguments.map((one) => {
    const word = `${one.name().toUpperCase()}${one.variadic ? '…' : ''}`.replaceAll('|', '\\|');
    return one.required ? word : `[${word}]`;
  });
  return [`\`${[name, ...words].join(' ')}\``, command.description()];
}

interface Operation {
  readonly tags?: readonly string[];
  readonly summary?: string;
}

/** Every operation of these tags, in the order of the contract. */
function operationRows(read: Read, tags: readonly string[]): string[][] {
  const { paths }: { paths: Record<string, Record<string, Operation>> } = parse(
    read('docs/reference/openapi.yaml'),
  );
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags?.some((tag) => tags.includes(tag)))
      .map(([method, { summary = '' }]) => [`\`${method.toUpperCase()} ${path}\``, summary]),
  );
}

function limitRow(name: string): string[] {
  const meaning = LIMITS[name as keyof typeof LIMITS];
  if (meaning === undefined) throw new Error(`there is no limit ${name}`);
  return [`\`${name}\``, DEFAULT_LIMITS[name]!.toLocaleString('en'), meaning];
}

/** `path > head`: the table of a page whose first row begins with that head. */
function tableUnder(names: string, read: Read): string {
  const [path = '', head = ''] = names.split(' > ');
  const page = read(path);
  const start = page.indexOf(`| ${head} |`);
  if (start < 0) throw new Error(`${path} has no table of ${head}`);
  return page.slice(start).split('\n\n')[0]!.trimEnd();
}

function main(): void {
  const read: Read = (path) => readFileSync(join(ROOT, path), 'utf8');
  const faults = listingFaults(read(INDEX), pagesIn(ROOT));
  for (const [path, text] of [
    ['skill.md', skillText(read)],
    ['llms.txt', llmsText(read)],
  ] as const) {
    if (!process.argv.includes('--check')) writeFileSync(join(ROOT, path), text);
    else if (read(path) !== text)
      faults.push(`${path} is out of date: node_modules/.bin/node scripts/agents.ts writes it`);
  }
  for (const fault of faults) console.error(`agents: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
