/** docs/reference/environment.md, generated from the declarations. */

import type { Variable } from './variable.ts';
import { GROUPS } from './variables.ts';

const INTRODUCTION = `# Environment

For operators. After this page you can set every variable that a process reads, and say what holds without it.

<!-- made by scripts/environment.ts out of packages/config; a test compares the two -->

Every \`VENUE_\` variable that a process, the command or the tests read. Each process reads its own, once, at its start; a wrong one is refused in one line that names it, and an empty one counts as absent.

**Secrets** belong in files that only their process's owner may read ([deploy.md](../how-to/deploy.md)); no message ever repeats one. Each can be in a file of its own: \`VENUE_OPERATOR_TOKEN_FILE=/run/secrets/operator-token\` in place of \`VENUE_OPERATOR_TOKEN\`, and so for all that are marked (CFG-2). In \`deposits\` mode \`VENUE_OPERATOR_TOKEN\`, \`VENUE_FEED_TOKEN\` and \`VENUE_MAKER_TOKEN\` must be there, and of each of the two for settling by hand the token or its hash; \`VENUE_OPERATORS\` may stand for the first, and for these two. All that are there have 32 characters or more, and differ.

The log keeps the **rules of the market** as state: after the first start the log's are in force until a node starts with others, which then hold for all nodes.

A name that begins with \`VENUE_\` and does not stand here is a typing error: processes of real money do not start with one, others warn, and \`--check\` refuses it (CFG-3).

Codes such as CRED-1 are those of [decisions](decisions/README.md). Beside these, \`NO_COLOR\` turns the command's colours off, and \`NODE_OPTIONS\` and \`NODE_COMPILE_CACHE\` are Node's own; the exporter of traces and the driver of PostgreSQL read their own \`OTEL_…\` and \`PG…\`.
`;

/** The text of the page. */
export function environmentPage(): string {
  const sections = Object.entries(GROUPS).map(([title, variables]) => section(title, variables));
  return [INTRODUCTION, ...sections].join('\n');
}

function section(title: string, variables: Readonly<Record<string, Variable>>): string {
  const rows = Object.entries(variables).map(([name, variable]) => row(name, variable));
  return [
    `## ${title}`,
    '',
    '| variable | read by | meaning | allowed | without it |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function row(name: string, { kind, ...terms }: Variable): string {
  const readers = [...(terms.readBy ?? []), ...(terms.neededBy ?? [])].map(labelOf).join(', ');
  const code = terms.code === undefined ? '' : ` (${terms.code})`;
  const unit = kind.unit === undefined ? '' : ` (${kind.unit})`;
  return `| \`${name}\` | ${readers} | ${meaningOf(terms)}${code} | ${kind.allowed}${unit} | ${absence(terms)} |`;
}

function meaningOf({ meaning, secret }: Omit<Variable, 'kind'>): string {
  if (!secret) return meaning;
  return meaning.includes('secret') ? meaning.replace('secret', '**secret**') : `**secret**: ${meaning}`;
}

/** Readers that are command words, as they are typed. */
function labelOf(reader: string): string {
  const words: Readonly<Record<string, string>> = {
    venue: '`venue`',
    profile: '`venue`',
    wallet: '`venue`',
    verify: '`venue verify`, `export`, `archive`',
    reserves: '`venue reserves`',
    operator: '`venue operator`',
    'operator commit': '`venue operator commit`',
    'operator settle': '`venue operator settle`',
    'operator settle propose': '`venue operator settle propose`, `confirm`',
    'operator payouts approve': '`venue operator payouts approve`',
    'vault deploy': '`venue vault deploy`',
    'vault gate': '`venue vault gate`',
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
