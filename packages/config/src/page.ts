/** docs/reference/environment.md, generated from the declarations. */

import type { Variable } from './variable.ts';
import { GROUPS } from './variables.ts';

const INTRODUCTION = `# Environment

For operators. After this page you can set every variable that a process reads, and say what holds without it.

<!-- made by scripts/environment.ts out of packages/config; a test compares the two -->

Each process reads its \`VENUE_\` variables once, at start. An empty one counts as absent; an invalid one is refused in one line. An undeclared name that begins with \`VENUE_\` stops a process with real money, is a warning otherwise, and fails \`--check\` (CFG-3).

**Secrets** belong in files that only the process's owner can read ([deploy](../how-to/deploy.md)). A variable's name with \`_FILE\` names such a file: \`VENUE_OPERATOR_TOKEN_FILE=/run/secrets/operator-token\` (CFG-2). With real money, secrets have at least 32 characters and differ; required are \`VENUE_FEED_TOKEN\`, \`VENUE_MAKER_TOKEN\`, and either \`VENUE_OPERATORS\` or \`VENUE_OPERATOR_TOKEN\` with token or hash of each of the two for settling by hand.

The log stores the **rules of the market**: they stay in force until a node starts with others, which then apply to all nodes.

Codes such as CRED-1 are [decisions](decisions/README.md). \`NO_COLOR\` turns off colours; \`NODE_OPTIONS\` and \`NODE_COMPILE_CACHE\` are Node's, \`OTEL_…\` the trace exporter's, \`PG…\` PostgreSQL's. Readers in code type are commands of \`venue\`.
`;

/** The text of the page. */
export function environmentPage(): string {
  const sections = Object.entries(GROUPS).map(([title, variables]) => section(title, variables));
  return [INTRODUCTION, ...sections].join('\n');
}

function section(title: string, variables: Readonly<Record<string, Variable>>): string {
  return [
    `## ${title}`,
    '',
    '| variable | read by | meaning | allowed | without it |',
    '|---|---|---|---|---|',
    ...rowsOf(variables),
    '',
  ].join('\n');
}

/** A row for each variable; those that differ only in name, reader and code share one. */
function rowsOf(variables: Readonly<Record<string, Variable>>): string[] {
  const alike = Map.groupBy(Object.entries(variables), ([, { kind, ...terms }]) =>
    [meaningOf(terms), rangeOf(kind.allowed), absence(terms)].join('|'),
  );
  return [...alike.values()].map(row);
}

function row(variables: readonly (readonly [string, Variable])[]): string {
  const [[, { kind, ...terms }]] = variables as [[string, Variable]];
  const list = (cells: readonly (string | undefined)[]) =>
    [...new Set(cells.filter((cell) => cell !== undefined))].join(', ');
  const names = list(variables.map(([name]) => `\`${name}\``));
  const readers = list(
    variables.flatMap(([, { readBy, neededBy }]) => [...(readBy ?? []), ...(neededBy ?? [])].map(labelOf)),
  );
  const codes = list(variables.map(([, { code }]) => code));
  const meaning = `${meaningOf(terms)}${codes === '' ? '' : ` (${codes})`}`;
  const unit = kind.unit === undefined ? '' : ` (${kind.unit})`;
  return `| ${names} | ${readers} | ${meaning} | ${rangeOf(kind.allowed)}${unit} | ${absence(terms)} |`;
}

/** In a column of ranges the kind of number goes without saying. */
function rangeOf(allowed: string): string {
  return allowed
    .replace(/^an amount in US dollars from (.+)$/, '$1 dollars')
    .replace(/^(an integer from|an?) /, '');
}

function meaningOf({ meaning: sentence, secret }: Omit<Variable, 'kind'>): string {
  const meaning = sentence.replace(/^the /, '');
  if (!secret) return meaning;
  return meaning.includes('secret') ? meaning.replace('secret', '**secret**') : `**secret**: ${meaning}`;
}

/** Readers that are command words, as they are typed behind `venue`. */
function labelOf(reader: string): string {
  const words: Readonly<Record<string, string>> = {
    venue: '`venue`',
    profile: '`venue`',
    wallet: '`venue`',
    verify: '`verify`, `export`, `archive`',
    reserves: '`reserves`',
    operator: '`operator`',
    'operator commit': '`operator commit`',
    'operator settle': '`operator settle`',
    'operator settle propose': '`operator settle propose`, `confirm`',
    'operator payouts approve': '`operator payouts approve`',
    'vault deploy': '`vault deploy`',
    'vault gate': '`vault gate`',
  };
  return words[reader] ?? reader;
}

function absence({ readBy = [], neededBy = [], ...terms }: Omit<Variable, 'kind'>): string {
  const parts = [
    terms.default === undefined ? terms.absent : `\`${terms.default}\``,
    neededBy.length > 0 ? refusal(readBy, neededBy) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

function refusal(readBy: readonly string[], neededBy: readonly string[]): string {
  return readBy.length === 0 ? 'refused' : `${neededBy.map(labelOf).join(', ')}: refused`;
}
