/** Reads Markdown for the scripts that check pages and those that write some. */

import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';

interface Point {
  readonly line: number;
  readonly column: number;
}

/** A part of a page: a paragraph, a link, a text. */
export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: { readonly start: Point; readonly end: Point };
}

export function treeOf(page: string | VFile): MarkdownNode {
  return unified().use(remarkParse).parse(page) as MarkdownNode;
}

/** Every part of these types, in the order of the page. */
export function nodesIn(tree: MarkdownNode, types: readonly string[]): MarkdownNode[] {
  const found: MarkdownNode[] = [];
  visit(tree as never, types, (node) => {
    found.push(node);
  });
  return found;
}

/** The text of a part, without its marks. */
export function textOf({ value, children = [] }: MarkdownNode): string {
  return value ?? children.map(textOf).join('');
}

/** The name under which a page has a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

const LINK = /\[([^\]]+)\]\(([^)#]*)(?:#[^)]*)?\)/g;

/** The words and the file of every link in one line of a page; the file is empty for a heading of the page itself. */
export function linksIn(line: string): { readonly words: string; readonly file: string }[] {
  return [...line.matchAll(LINK)].map(([, words, file]) => ({ words: words!, file: file! }));
}

/** The line with the words of its links instead of the links. */
export function withoutLinks(line: string): string {
  return line.replaceAll(LINK, '$1');
}

/** The cells of a row of a table. A bar behind a backslash separates none. */
export function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
