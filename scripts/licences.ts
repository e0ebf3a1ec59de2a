/**
 * The licences of everything in a release, read from the lock file, and of what is committed from elsewhere.
 *
 *   node_modules/.bin/node scripts/licences.ts            writes docs/reference/licences.md
 *   node_modules/.bin/node scripts/licences.ts --check    fails where it is out of date, or a licence is not allowed
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = new URL('../docs/reference/licences.md', import.meta.url);
const LOCK = new URL('../package-lock.json', import.meta.url);

/** Licences that require only a notice. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
]);

/** Licences that require more, each with the packages that may have it and why that is acceptable. */
const EXCEPTIONS: readonly Exception[] = [
  {
    licence: 'MPL-2.0',
    packages: /^lightningcss(-.+)?$/,
    reason: 'builds the terminal; unchanged, and not part of the page',
  },
  {
    licence: 'MPL-2.0',
    packages: /^@ethereumjs\/(mpt|rlp|util)$/,
    reason: 'used by the watcher of deposits; unchanged, with sources',
  },
  {
    licence: 'MPL-2.0',
    packages: /^(web-push|http_ece)$/,
    reason: 'used by the push process; unchanged, with sources',
  },
  {
    licence: 'OFL-1.1',
    packages: /^inter-ui$/,
    reason:
      'the terminal’s typeface, a subset of which is in `packages/web/src/page/inter` with its licence; it may be embedded and changed',
  },
];

/** To npm development tools: what is bundled into a release, and what traces need, which is installed on demand. */
const COMING_ALONG = /^(@noble\/secp256k1$|@opentelemetry\/)/;

/** Files that stand in the repository itself and come from elsewhere. */
export const COMMITTED: readonly Licensed[] = [
  { name: 'inter-ui', version: '4.1.1', licence: 'OFL-1.1', isPlatform: false },
];

interface Exception {
  readonly licence: string;
  readonly packages: RegExp;
  readonly reason: string;
}

export interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  /** Platforms of a binary. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}
export type LockedPackages = Readonly<Record<string, Locked>>;

export interface Licensed {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** One of several platform packages, of which each machine installs its own. */
  readonly isPlatform: boolean;
}

/** The packages of a release: run-time dependencies, and bundled ones, by name. */
export function released(packages: LockedPackages): Licensed[] {
  const rows = Object.entries(packages).flatMap(([path, entry]) => {
    const name = path.split('node_modules/').at(-1)!;
    const isInstalled = entry.dev !== true && entry.devOptional !== true;
    if (!path.includes('node_modules/') || entry.link || !(isInstalled || COMING_ALONG.test(name))) return [];
    const isPlatform = entry.os !== undefined || entry.cpu !== undefined;
    return [{ name, version: entry.version ?? '', licence: entry.license ?? 'unknown', isPlatform }];
  });
  const one = new Map(rows.map((row) => [`${row.name}@${row.version}`, row]));
  return [...one.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Every package whose licence is unknown or requires more than a notice, one sentence each. */
export function licenceFaults(rows: readonly Licensed[]): string[] {
  return rows
    .filter((row) => !isAllowed(row.licence) && exceptionOf(row) === undefined)
    .map(({ name, version, licence }) => `${name} ${version}: ${licence} is not allowed`);
}

/** In an expression, OR needs one allowed licence, AND needs all. */
function isAllowed(expression: string): boolean {
  const text = expression.replaceAll(/[()]/g, '').trim();
  if (text.includes(' OR ')) return text.split(' OR ').some(isAllowed);
  if (text.includes(' AND ')) return text.split(' AND ').every(isAllowed);
  return ALLOWED.has(text);
}

function exceptionOf({ name, licence }: Licensed): Exception | undefined {
  return EXCEPTIONS.find((exception) => exception.licence === licence && exception.packages.test(name));
}

/** The page: packages by licence, and the exceptions with their reasons. */
export function licencesText(rows: readonly Licensed[]): string {
  const byLicence = Map.groupBy(rows, ({ licence }) => licence);
  const sections = [...byLicence].sort(([a], [b]) => (a < b ? -1 : 1)).map(sectionOf);
  return `${HEADING}${sections.join('')}`;
}

const HEADING = `# Licences

For auditors, and maintainers who publish a release. After this page you can name the licence of every package in it.

\`scripts/licences.ts\` writes this page from the lock file. \`npm run check\` fails if it is out of date, or a licence is unknown or requires more than a notice. Binaries for several platforms are listed under the package that chooses among them.
`;

function sectionOf([licence, rows]: readonly [string, readonly Licensed[]]): string {
  const reasons = new Set(rows.flatMap((row) => exceptionOf(row)?.reason ?? []));
  const why = [...reasons].map((reason) => `\nAllowed as an exception: ${reason}.\n`).join('');
  const packages = rows
    .filter(({ isPlatform }) => !isPlatform)
    .map(({ name, version }) => `\`${name}\` ${version}`);
  return `\n## ${licence}\n${why}\n${packages.join(', ')}.\n`;
}

function main(): void {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: LockedPackages };
  const rows = [...released(packages), ...COMMITTED];
  const text = licencesText(rows);
  const faults = licenceFaults(rows);
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text)
    faults.push(
      'docs/reference/licences.md is out of date: node_modules/.bin/node scripts/licences.ts writes it',
    );
  for (const fault of faults) console.error(`licences: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`licences: ${rows.length} packages, each with a licence that is allowed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
