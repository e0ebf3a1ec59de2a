/** Operators with names: one a line, with roles and the hashes of one or two secrets (OPS-2). */

import { OPERATOR_NAME } from '@venue/protocol/operator-name';

/**
 * The rights of an operator. Everybody who is named may read:
 * - `read`: nothing else.
 * - `operate`: what stops and starts without moving money: freeze withdrawals, hold a deposit, accept a node's clock.
 * - `settle`: be one of the two people who settle what the oracle refused, and who bind the ledger to its vault.
 * - `custody`: release and reverse deposits; void, adopt and approve payouts; raise the epoch.
 */
export const OPERATOR_ROLES = ['read', 'operate', 'settle', 'custody'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface NamedOperator {
  readonly name: string;
  /** In the order of `OPERATOR_ROLES`. */
  readonly roles: readonly OperatorRole[];
  /** SHA-256 of each secret that is valid, in hex: the newest, and during a rotation the one before. */
  readonly hashes: readonly string[];
}

/** How many there may be: each attempt is compared with every secret. */
export const OPERATORS_MAX = 32;
/** The name under which the shared secret acts; no operator may have it. */
export const SHARED_OPERATOR = 'operator';

const SECRETS_MAX = 2;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Reads lines such as `ann read,settle 5e88…`; empty ones and those that begin with # are left out. Returns
 * the fault instead where there is one: its line, and nothing of what stands there.
 */
export function readOperators(text: string): NamedOperator[] | string {
  const operators: NamedOperator[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const words = line.trim();
    if (words === '' || words.startsWith('#')) continue;
    const read = readLine(words.split(/\s+/), operators);
    if (typeof read === 'string') return `line ${at + 1}: ${read}`;
    operators.push(read);
  }
  return operators.length > OPERATORS_MAX ? `more than ${OPERATORS_MAX} operators` : operators;
}

/** The operator of a line beside those before it, or what is wrong with it. */
function readLine(words: readonly string[], before: readonly NamedOperator[]): NamedOperator | string {
  const [name = '', roleWords = '', ...hashes] = words;
  const fault = nameFault(name) ?? rolesFault(roleWords);
  if (fault !== null) return fault;
  if (before.some((other) => other.name === name)) return `${name} has a line already`;
  if (hashes.length < 1 || hashes.length > SECRETS_MAX || !hashes.every((hash) => SHA256.test(hash)))
    return 'after name and roles there must be one or two SHA-256 in hex';
  const all = [...before.flatMap((other) => other.hashes), ...hashes];
  if (new Set(all).size < all.length) return 'a secret that another line, or this one, has already';
  return { name, roles: rolesOf(roleWords), hashes };
}

/** Why nobody may have this name, or null. */
export function nameFault(name: string): string | null {
  if (name === SHARED_OPERATOR) return `${SHARED_OPERATOR} is the name of the shared secret`;
  return OPERATOR_NAME.test(name)
    ? null
    : 'a name must be 1 to 32 lower-case letters, digits, dots, dashes or underscores, a letter first';
}

/** Why these are no roles, or null. */
export function rolesFault(words: string): string | null {
  const known: ReadonlySet<string> = new Set(OPERATOR_ROLES);
  return words.split(',').every((word) => known.has(word))
    ? null
    : `roles must be some of ${OPERATOR_ROLES.join(',')}, with commas between them`;
}

/** The roles that a text without a fault names. */
export function rolesOf(words: string): OperatorRole[] {
  const named = words.split(',');
  return OPERATOR_ROLES.filter((role) => named.includes(role));
}

const HEADING = `# Operators of this venue, written by "venue operators": name, roles, SHA-256 of the secret and, during a
# rotation, of the one before. The exchange reads it when it starts.
`;

/** The text of a file that `readOperators` reads. */
export function operatorsText(operators: readonly NamedOperator[]): string {
  const lines = operators.map(
    ({ name, roles, hashes }) => `${name} ${roles.join(',')} ${hashes.join(' ')}\n`,
  );
  return HEADING + lines.join('');
}
