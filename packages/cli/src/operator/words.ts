/** The subcommands of `venue operator`; `operator-commands.ts` and `operator-custody-commands.ts` implement them. */

import { Command, InvalidArgumentError } from 'commander';
import { addArchiveCommands } from '../auditor/archive.ts';
import { addVerifyCommand } from '../auditor/verify.ts';
import { withPublicOptions, withYes } from '../base/common-options.ts';
import { addReservesCommand } from '../custody/custody.ts';
import { addCustodyCommands } from '../custody/operator-custody.ts';
import { addRepairCommands } from '../custody/operator-repairs.ts';
import type { AuditOptions } from './commands.ts';
import type { ConfirmOptions, SettleOptions } from './settle.ts';

const SETTLE_HELP = `
Settles what the oracle refused: "venue operator review" lists it, says why, and gives the anchor that the price has to
be near. The first price that is accepted is the price of that underlying at that
expiry; no settlement is ever undone. Every attempt is audited, whatever comes of it.

Needs both secrets, VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2, and the exchange at VENUE_URL. Two people on two
machines use "venue operator settle propose" and "confirm" instead, each with one.

Examples:
  venue operator settle --series BTC-1764378000-C-100000 --price 100500
  venue operator settle --symbol BTC --expiry 1764378000 --price 100500     every series of the expiry
`;

const PROPOSE_HELP = `
One of two people proposes, the other confirms within 15 minutes; neither secret leaves its machine. Nothing is settled
yet, but what the exchange would refuse is refused now. It prints what to tell the other person.

Needs the secret that you have, VENUE_SETTLE_TOKEN_1 or VENUE_SETTLE_TOKEN_2, or VENUE_OPERATOR_TOKEN where the exchange
knows you by name with the role settle; and the exchange at VENUE_URL.

Examples:
  venue operator settle propose --series BTC-1764378000-C-100000 --price 100500
  venue operator settle propose --symbol BTC --expiry 1764378000 --price 100500
`;

const CONFIRM_HELP = `
Settles what another person has proposed. Take price and target from your own sources, not from the
proposal: both are repeated here, and must be those that were proposed. No settlement is ever undone.

Needs the secret that you have, as "propose" does, and the exchange at VENUE_URL.

Example:
  venue operator settle confirm --id 812 --symbol BTC --expiry 1764378000 --price 100500
`;

const SETTLE_HASH_HELP = `
The exchange needs no secret of settlement, only its SHA-256: VENUE_SETTLE_HASH_1 and VENUE_SETTLE_HASH_2. Each of two
people makes a secret on a machine of their own, keeps it there, and hands over what this prints. A secret of less than
32 characters is refused; one that can be guessed is not protected by its hash.

Examples:
  openssl rand -hex 32 > settle-token
  venue operator settle-hash settle-token
  pass show venue/settle | venue operator settle-hash
`;

const AUDIT_HELP = `
Prints every attempt to settle by hand and everything else operators did, by name, oldest first. Needs VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL.

Each attempt has a hash that covers the one before it. --verify computes them all again and prints the last, the head.
Record it somewhere else: --head with a recorded head proves that nothing before it was cut or changed since.

Examples:
  venue operator audit
  venue operator audit --verify --json
`;

const EXPOSURE_HELP = `
Symbols whose jump stops liquidation, accounts in margin call and the largest by exposure, open interest by expiry with the
least that maker and house get at settlement, and settlements that wait for a second person. Needs VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL.

Example:
  venue operator exposure
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
  const operator = new Command('operator')
    .description(
      'settle by hand what the oracle refused, audit it, see to deposits and payouts, prove the log',
    )
    .enablePositionalOptions();
  withPublicOptions(operator.command('review'))
    .description('list what the oracle refused to settle, and why')
    .addHelpText('after', '\nExample:\n  venue operator review\n')
    .action(async (options) => (await import('./review.ts')).runReviewCommand(options));
  addSettleCommands(operator);
  withPublicOptions(operator.command('audit'))
    .description('print every attempt to settle by hand, or check that the record of them is whole')
    .option('--verify', 'check the chain of hashes instead of printing')
    .option('--head <hash>', 'check also that this recorded hash is in the chain', hash)
    .addHelpText('after', AUDIT_HELP)
    .action(async (options: AuditOptions) => (await commands()).runAuditCommand(options));
  withPublicOptions(operator.command('exposure'))
    .description('show accounts in margin call, the largest ones, and exposure by expiry')
    .addHelpText('after', EXPOSURE_HELP)
    .action(async (options) => (await import('./exposure.ts')).runExposureCommand(options));
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

function addSettleCommands(operator: Command): void {
  const settle = operator.command('settle');
  withTarget(settle)
    .description('settle a series, or every refused one of an expiry, at a price of the underlying')
    .addHelpText('after', SETTLE_HELP)
    .action(async (options: SettleOptions) => (await settling()).runSettleCommand(options));
  withTarget(settle.command('propose'))
    .description('propose it with one of the two secrets')
    .addHelpText('after', PROPOSE_HELP)
    .action(async (options: SettleOptions) => (await settling()).runProposeCommand(options));
  withTarget(settle.command('confirm'))
    .description('confirm what the other secret proposed, which settles it')
    .requiredOption('--id <number>', 'the proposal', proposalId)
    .addHelpText('after', CONFIRM_HELP)
    .action(async (options: ConfirmOptions) => (await settling()).runConfirmCommand(options));
  operator
    .command('settle-hash')
    .description('print the hash of a secret of settlement, which is all that the exchange needs')
    .argument('[file]', 'the file with the secret; standard input without it')
    .addHelpText('after', SETTLE_HASH_HELP)
    .action(async (file) => (await import('./settle-hash.ts')).runSettleHashCommand(file));
}

function withTarget(command: Command): Command {
  return withYes(withPublicOptions(command))
    .option('--series <id>', 'one series')
    .option('--symbol <symbol>', 'the underlying, with --expiry')
    .option('--expiry <seconds>', 'the expiry in unix seconds, with --symbol', seconds)
    .option('--price <price>', 'price of the underlying');
}

const commands = () => import('./commands.ts');
const settling = () => import('./settle.ts');

function proposalId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be the number of a proposal.');
  return Number(text);
}

function seconds(text: string): number {
  if (!/^\d{1,11}$/.test(text)) throw new InvalidArgumentError('It must be unix seconds.');
  return Number(text);
}

function hash(text: string): string {
  const lower = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(lower)) throw new InvalidArgumentError('It must be 64 hex digits.');
  return lower;
}
