/** The operators whom `venue init` names, each with a secret of their own to be handed over (OPS-2). */

import { hash, randomBytes } from 'node:crypto';
import {
  nameFault,
  OPERATOR_ROLES,
  OPERATORS_MAX,
  type OperatorRole,
  operatorsText,
  rolesFault,
  rolesOf,
} from '@venue/config';
import { usageError } from '../base/command-error.ts';
import { askText, canAsk } from '../terminal/confirm.ts';
import { say } from '../terminal/output.ts';
import { HANDOVER, type NewFile, OPERATORS_DROP_IN, OPERATORS_FILE } from './places.ts';

export interface Person {
  readonly name: string;
  readonly roles: readonly OperatorRole[];
}

const SECRET_BYTES = 32;
/** Settling and binding take two people; everything else that a role allows takes one (CUS-10). */
const NEEDED = [
  ['settle', 2],
  ['operate', 1],
  ['custody', 1],
] as const satisfies readonly (readonly [OperatorRole, number])[];

const QUESTION = `Who operates the venue? A name and roles (${OPERATOR_ROLES.join(', ')}) on each line, such as: ann operate,settle
An empty line ends the list; without anybody, two people settle with secrets that have no names.
> `;

/** The people of the options `--operator NAME=ROLES`. Throws a usage error for one that is malformed. */
export function peopleOf(texts: readonly string[], { settlesBySecret }: SettlesBySecret): Person[] {
  const people: Person[] = [];
  for (const text of texts) {
    const person = personOf(text.split(/=(.*)/s).slice(0, 2), people);
    if (typeof person === 'string') throw usageError(`--operator ${text}: ${person}`);
    people.push(person);
  }
  const missing = missingOf(people, { settlesBySecret });
  if (missing !== null) throw usageError(`the operators are too few: ${missing}`);
  return people;
}

interface SettlesBySecret {
  /** True if the two secrets of settlement are used instead of names. */
  readonly settlesBySecret: boolean;
}

/** Asks until the list is empty or has everybody who is needed. Throws a usage error if there is nobody to ask. */
export async function askPeople(): Promise<Person[]> {
  if (!canAsk())
    throw usageError('nobody is here to ask: give --operator, or both of --settle-hash-1 and -2');
  const people: Person[] = [];
  for (let prompt = QUESTION; ; prompt = '> ') {
    const text = (await askText(prompt)).trim();
    const missing = text === '' ? missingOf(people, { settlesBySecret: false }) : null;
    if (text === '' && (people.length === 0 || missing === null)) return people;
    const person =
      text === '' ? `the operators are too few: ${missing}` : personOf(text.split(/\s+/), people);
    if (typeof person === 'string') say(person);
    else people.push(person);
  }
}

/** The person, or what is wrong with them. */
function personOf(
  [name = '', roles = '', ...more]: readonly string[],
  before: readonly Person[],
): Person | string {
  const fault = nameFault(name) ?? rolesFault(roles);
  if (fault !== null) return fault;
  if (more.length > 0) return 'a name and its roles are all of a line';
  if (before.some((other) => other.name === name)) return `${name} is named already`;
  if (before.length === OPERATORS_MAX) return `there may be ${OPERATORS_MAX} operators`;
  return { name, roles: rolesOf(roles) };
}

/** The roles that too few people have, in words; null if there is none. */
function missingOf(people: readonly Person[], { settlesBySecret }: SettlesBySecret): string | null {
  const settlers = countOf(people, 'settle');
  if (settlesBySecret && settlers > 0)
    return 'with --settle-hash-1 and -2 nobody has the role settle: leave one of the two out';
  const missing = NEEDED.filter(([role]) => role !== 'settle' || !settlesBySecret)
    .filter(([role, count]) => countOf(people, role) < count)
    .map(([role, count]) => `${role} takes ${count === 1 ? 'one' : 'two'}`);
  return missing.length === 0 ? null : missing.join(', ');
}

function countOf(people: readonly Person[], role: OperatorRole): number {
  return people.filter(({ roles }) => roles.includes(role)).length;
}

/** The file of hashes, what has the exchange read it, and for each person a file with their secret. */
export function peopleFiles(people: readonly Person[]): NewFile[] {
  if (people.length === 0) return [];
  const secrets = people.map(() => randomBytes(SECRET_BYTES).toString('hex'));
  const hashed = people.map((person, i) => ({ ...person, hashes: [hash('sha256', secrets[i]!)] }));
  return [
    { path: OPERATORS_FILE, text: operatorsText(hashed) },
    ...people.map(({ name }, i) => ({
      path: `${HANDOVER}/${name}`,
      text: `${secrets[i]}\n`,
    })),
    {
      path: OPERATORS_DROP_IN,
      text: `[Service]\nLoadCredential=operators:${OPERATORS_FILE}\nEnvironment=VENUE_OPERATORS_FILE=%d/operators\n`,
    },
  ];
}
