/** The subcommands of `venue operators`; `file.ts` implements them. */

import { nameFault, OPERATOR_ROLES, type OperatorRole, rolesFault, rolesOf } from '@venue/config';
import { Command, InvalidArgumentError } from 'commander';

const PLACE = '/etc/venue/secrets/operators';

const HELP = `
The file has a line for each operator: name, roles, and the SHA-256 of one secret, or of two during a rotation. The exchange
reads it by VENUE_OPERATORS_FILE when it starts, so restart it after a change. Roles, of which everybody has the first:

  read      the audit, exposure, payouts, deposits
  operate   freeze withdrawals and let them again, hold a deposit, accept a node's clock
  settle    be one of the two people who settle what the oracle refused, or bind the ledger to its vault
  custody   release and reverse deposits; void, adopt and approve payouts; raise the epoch

A secret is printed once, when it is made, and kept nowhere. Its owner sets it as VENUE_OPERATOR_TOKEN (or its file as
VENUE_OPERATOR_TOKEN_FILE) for "venue operator", or types it into the operators' page.

Examples:
  venue operators add ann --roles operate,settle
  venue operators rotate ann             a second secret; both are valid after the restart
  venue operators rotate ann --finish    the older one is not, after the next
  venue operators remove ann
`;

/** The commands that say who the operators are, ready to be added (OPS-2). */
export function operatorsCommand(): Command {
  const operators = new Command('operators')
    .description('name the operators of an exchange, give them secrets and roles')
    .addHelpText('after', HELP);
  withFile(operators.command('list'))
    .description('list names, roles, and who has two secrets')
    .option('--json', 'one JSON value on standard output, and nothing else')
    .addHelpText('after', example('list'))
    .action(async (options) => (await file()).runListCommand(options));
  withFile(operators.command('add'))
    .description('name an operator, and print a secret for them')
    .argument('<name>', 'lower-case letters, digits, dots, dashes or underscores', name)
    .requiredOption('--roles <roles>', `some of ${OPERATOR_ROLES.join(',')}`, roles)
    .addHelpText('after', example('add ann --roles operate,settle'))
    .action(async (who: string, options) => (await file()).runAddCommand(who, options));
  withFile(operators.command('rotate'))
    .description('print a second secret for an operator, or with --finish end the older one')
    .argument('<name>', 'an operator of the file', name)
    .option('--finish', 'only the newer secret is valid from now on')
    .addHelpText('after', example('rotate ann'))
    .action(async (who: string, options) => (await file()).runRotateCommand(who, options));
  withFile(operators.command('remove'))
    .description('remove an operator: their secrets open nothing any more')
    .argument('<name>', 'an operator of the file', name)
    .addHelpText('after', example('remove ann'))
    .action(async (who: string, options) => (await file()).runRemoveCommand(who, options));
  return operators;
}

function example(words: string): string {
  return `\nExample:\n  venue operators ${words}\n`;
}

function file() {
  return import('./file.ts');
}

function withFile(command: Command): Command {
  return command.option('--file <path>', 'the file that the exchange reads', path, PLACE);
}

/** An unset variable of a shell names no file, and must not look like one without operators. */
function path(text: string): string {
  if (text === '') throw new InvalidArgumentError('it must name a file');
  return text;
}

function name(text: string): string {
  const fault = nameFault(text);
  if (fault !== null) throw new InvalidArgumentError(fault);
  return text;
}

function roles(text: string): OperatorRole[] {
  const fault = rolesFault(text);
  if (fault !== null) throw new InvalidArgumentError(fault);
  return rolesOf(text);
}
