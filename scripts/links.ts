/**
 * Checks that every link between pages leads to a file, and every `#name` in one to a heading of its page.
 *
 *   node_modules/.bin/node scripts/links.ts
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './imports.ts';
import { anchorOf, nodesIn, textOf, treeOf } from './markdown.ts';

const PAGES = ['*.md', '{docs,tests}/**/*.md', 'packages/*/*.md'];
const OUTSIDE = /^[a-z]+:/;
/** The headings of a file that is no page. */
const NONE: ReadonlySet<string> = new Set();

/** The links of a page that lead nowhere, one sentence each. `anchorsIn` is null for a file that is not there. */
export function linkFaults(
  { path, text }: SourceFile,
  anchorsIn: (path: string) => ReadonlySet<string> | null,
): string[] {
  return nodesIn(treeOf(text), ['link', 'image', 'definition']).flatMap(({ url = '', position }) => {
    if (OUTSIDE.test(url)) return [];
    const [file = '', anchor] = url.split('#');
    const anchors = anchorsIn(file === '' ? path : join(dirname(path), file));
    const place = `${path}:${position?.start.line ?? 1}`;
    if (anchors === null) return [`${place}: there is no file ${file}`];
    if (anchor === undefined || anchors.has(anchor)) return [];
    return [`${place}: no heading of ${file || 'this page'} is #${anchor}`];
  });
}

/** The second heading of a text has `-1` behind its name, the third `-2`. */
export function anchorsOf(text: string): Set<string> {
  const times = new Map<string, number>();
  const anchors = new Set<string>();
  for (const heading of nodesIn(treeOf(text), ['heading'])) {
    const name = anchorOf(textOf(heading));
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    anchors.add(before === 0 ? name : `${name}-${before}`);
  }
  return anchors;
}

export function linkFaultsOf(root: string): string[] {
  const pages = globSync(PAGES, { cwd: root, exclude: ['**/node_modules/**'] }).sort();
  const texts = new Map(pages.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const anchors = new Map([...texts].map(([path, text]) => [path, anchorsOf(text)]));
  const anchorsIn = (path: string) => anchors.get(path) ?? (existsSync(join(root, path)) ? NONE : null);
  return [...texts].flatMap(([path, text]) => linkFaults({ path, text }, anchorsIn));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = linkFaultsOf(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
