/** `venue operators`: the file of names, roles and hashes that an exchange reads (OPS-2). */

import { hash, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import {
  type NamedOperator,
  OPERATORS_MAX,
  type OperatorRole,
  operatorsText,
  readOperators,
} from '@venue/config';
import { CommandError } from '../../base/command-error.ts';
import { exclusively } from '../../profile/exclusive.ts';
import { createPrivate, privateFolder, readPrivate, replacePrivate } from '../../profile/private-files.ts';
import { say, write } from '../../terminal/output.ts';

interface FileOptions {
  readonly file: string;
}

const SECRET_BYTES = 32;

export async function runListCommand({ file, json }: FileOptions & { readonly json?: true }): Promise<void> {
  const rows = readFile(file).map(({ name, roles, hashes }) => ({ name, roles, secrets: hashes.length }));
  if (json) return write(`${JSON.stringify(rows)}\n`);
  for (const { name, roles, secrets } of rows)
    write(`${name} ${roles.join(',')}${secrets === 1 ? '' : ' (two secrets: a rotation is under way)'}\n`);
}

/** Adds an operator with a new secret; the first one makes the file. */
export async function runAddCommand(
  name: string,
  { file, roles }: FileOptions & { readonly roles: readonly OperatorRole[] },
): Promise<void> {
  const secret = newSecret();
  change(file, (known) => {
    if (known.some((other) => other.name === name)) throw new CommandError(`${file} names ${name} already`);
    if (known.length === OPERATORS_MAX)
      throw new CommandError(`${file} names ${OPERATORS_MAX} operators already, the most there may be`);
    return [...known, { name, roles, hashes: [hash('sha256', secret)] }];
  });
  tell(name, secret);
}

/** Gives an operator a second secret, or ends the older of two. */
export async function runRotateCommand(
  name: string,
  { file, finish }: FileOptions & { readonly finish?: true },
): Promise<void> {
  const secret = newSecret();
  changeHashes(file, name, (hashes) => {
    if (finish && hashes.length === 1)
      throw new CommandError(`${name} has one secret: there is no rotation to finish`);
    if (!finish && hashes.length > 1)
      throw new CommandError(
        `${name} has two secrets already: "venue operators rotate ${name} --finish" ends the older one`,
      );
    return finish ? hashes.slice(0, 1) : [hash('sha256', secret), ...hashes];
  });
  if (!finish) return tell(name, secret);
  write(`the older secret of ${name} opens nothing once the exchange is started again\n`);
}

function changeHashes(
  file: string,
  name: string,
  hashesAfter: (hashes: readonly string[]) => readonly string[],
): void {
  change(file, (known) => {
    const found = find(known, name, file);
    return known.map((one) => (one === found ? { ...one, hashes: hashesAfter(one.hashes) } : one));
  });
}

/** Removes an operator. The last one stays, as an exchange refuses a file that names nobody. */
export async function runRemoveCommand(name: string, { file }: FileOptions): Promise<void> {
  change(file, (known) => {
    const found = find(known, name, file);
    if (known.length === 1)
      throw new CommandError(
        `${name} is the last of ${file}: unset VENUE_OPERATORS_FILE and remove the file instead`,
      );
    return known.filter((other) => other !== found);
  });
  write(`the secrets of ${name} open nothing once the exchange is started again\n`);
}

function readFile(file: string): readonly NamedOperator[] {
  const text = readPrivate(file);
  const operators = text === null ? [] : readOperators(text);
  if (typeof operators === 'string') throw new CommandError(`${file}: ${operators}`);
  return operators;
}

function find(known: readonly NamedOperator[], name: string, file: string): NamedOperator {
  const found = known.find((other) => other.name === name);
  if (found === undefined) throw new CommandError(`${file} names no ${name}`);
  return found;
}

/** Writes the file with other operators. Of two commands at once one is refused, so that neither undoes the other. */
function change(
  file: string,
  operatorsAfter: (known: readonly NamedOperator[]) => readonly NamedOperator[],
): void {
  // A change that would be refused makes no folder.
  operatorsAfter(readFile(file));
  const busy = () => new CommandError(`another command is changing ${file}: try again`);
  try {
    privateFolder(dirname(file));
    exclusively(`${file}.lock`, { waitMs: 0, busy }, () => {
      const known = readFile(file);
      const text = operatorsText(operatorsAfter(known));
      if (known.length > 0) replacePrivate(file, text);
      else if (!createPrivate(file, text))
        throw new CommandError(`${file} is there and names nobody: remove it first`);
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/** The secret alone goes to standard output, so that it can be piped to where its owner gets it. */
function tell(name: string, secret: string): void {
  write(`${secret}\n`);
  say(`the secret of ${name}, shown once; it is valid once the exchange is started again`);
}
