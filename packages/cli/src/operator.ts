/** The subcommands of `venue operator`; `operator-commands.ts` and `operator-custody-commands.ts` implement them. */

import { Command, InvalidArgumentError } from 'commander';
import { addArchiveCommands } from './archive.ts';
import { withPublicOptions, withYes } from './common-options.ts';
import { addReservesCommand } from './custody.ts';
import type { AuditOptions, SettleOptions } from './operator-commands.ts';
import { addCustodyCommands } from './operator-custody.ts';
import { addRepairCommands } from './operator-repairs.ts';
import { addVerifyCommand } from './verify.ts';

const SETTLE_HELP = `
Settles what the oracle refused: "venue operator review" lists it, says why, and gives the anchor that the price has to
be near. The first price that is accepted is the price of that underlying at that
expiry; no settlement is ever undone. Every attempt is audited, whatever comes of it.

Needs both secrets, VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2, and the exchange at VENUE_URL.

Examples:
  venue operator settle --series BTC-1764378000-C-100000 --price 100500
  venue operator settle --symbol BTC --expiry 1764378000 --price 100500     every series of the expiry
`;

const AUDIT_HELP = `
Prints every attempt to settle by hand, oldest first. Needs VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL.

Each attempt has a hash that covers the one before it. --verify computes them all anew and prints the last, the head.
Note it somewhere else: --head with a head noted earlier proves that nothing before it was cut or changed since.

Examples:
  venue operator audit
  venue operator audit --verify --json
`;

const CLOCK_HELP = `
A node whose clock has jumped writes and answers nothing until its clocks agree. Where the clock was wrong before and is
right now, nobody but an operator can tell: look at the time on that machine first. It concerns the node at VENUE_URL
alone.

Needs VENUE_OPERATOR_TOKEN.

Example:
  venue operator clock
`;

/** The commands of operators, ready to be added. */
export function operatorCommand(): Command {
  const operator = new Command('operator').description(
    'settle by hand what the oracle refused, audit it, see to deposits and payouts, prove the log',
  );
  withPublicOptions(operator.command('review'))
    .description('list what the oracle refused to settle, and why')
    .addHelpText('after', '\nExample:\n  venue operator review\n')
    .action(async (options) => (await import('./operator-review.ts')).runReviewCommand(options));
  withYes(withPublicOptions(operator.command('settle')))
    .description('settle a series, or every refused one of an expiry, at a price of the underlying')
    .option('--series <id>', 'one series')
    .option('--symbol <symbol>', 'the underlying, with --expiry')
    .option('--expiry <seconds>', 'the expiry in unix seconds, with --symbol', seconds)
    .requiredOption('--price <price>', 'price of the underlying')
    .addHelpText('after', SETTLE_HELP)
    .action(async (options: SettleOptions) => (await commands()).runSettleCommand(options));
  withPublicOptions(operator.command('audit'))
    .description('print every attempt to settle by hand, or check that the record of them is whole')
    .option('--verify', 'check the chain of hashes instead of printing')
    .option('--head <hash>', 'check also that this hash, noted earlier, stands in the chain', hash)
    .addHelpText('after', AUDIT_HELP)
    .action(async (options: AuditOptions) => (await commands()).runAuditCommand(options));
  withPublicOptions(operator.command('clock'))
    .description('say that the clock of a node, which has jumped, is right now')
    .addHelpText('after', CLOCK_HELP)
    .action(async (options) => (await commands()).runClockCommand(options));
  addCustodyCommands(operator);
  addRepairCommands(operator);
  addReservesCommand(operator);
  addVerifyCommand(operator);
  addArchiveCommands(operator);
  return operator;
}

const commands = () => import('./operator-commands.ts');

function seconds(text: string): number {
  if (!/^\d{1,11}$/.test(text)) throw new InvalidArgumentError('It must be unix seconds.');
  return Number(text);
}

function hash(text: string): string {
  const lower = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(lower)) throw new InvalidArgumentError('It must be 64 hex digits.');
  return lower;
}
