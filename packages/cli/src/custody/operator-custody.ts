/** `venue operator held|release|payouts|commit`: deposits that wait for an operator, and payouts. */

import { variablesHelp } from '@venue/config';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withPublicOptions, withYes } from '../base/common-options.ts';
import type { ApprovePayoutOptions, CommitOptions, PayoutsOptions } from './operator-custody-commands.ts';

const NEEDS = (example: string, token = 'VENUE_OPERATOR_TOKEN') =>
  `\nNeeds ${token}, and the exchange at VENUE_URL, which holds real money.\n\nExample:\n  ${example}\n`;

const RELEASE_HELP = `
Deposits of an address that had never signed in are held: owed, and out of its reach. Release them once you know whose
they are; from then on its deposits are credited. It cannot be taken back.

A contract wallet has no key that could sign in, so that its money could be neither traded nor withdrawn after a release:
leave it held, and pay it back by hand from the operator's own wallet.
${NEEDS('venue operator release 0x52908400098527886e0f7030069857d2e4169ee7')}`;

const COMMIT_HELP = `
Notes payouts as committed in a transaction that is on chain and that the batcher did not note. Stop the batcher first,
and be sure of the transaction: account and amount of each PayoutCommitted have to be those of the list. Nothing here
looks at the chain, and it cannot be taken back. docs/how-to/run-custody.md says which payouts may be committed by hand.
${NEEDS('venue operator commit --ids 17,18 --tx 0x…', 'VENUE_PAYOUT_TOKEN or, where the exchange has none, VENUE_OPERATOR_TOKEN')}`;

const APPROVE_HELP = `
Signs for a payout as one of the approvers whose addresses the batcher has in VENUE_PAYOUT_APPROVERS; the exchange only
carries the signature. Ask the owner of the account first, by another way than the exchange: what is shown here is its
word. Keep the key off every machine of the venue.
${variablesHelp('operator payouts approve')}${NEEDS('venue operator payouts approve --id 17')}`;

/** Adds the commands to those of operators. */
export function addCustodyCommands(operator: Command): void {
  withPublicOptions(operator.command('held'))
    .description('list the addresses whose deposits are held')
    .addHelpText('after', NEEDS('venue operator held'))
    .action(async (options) => (await commands()).runHeldCommand(options));
  withYes(withPublicOptions(operator.command('release')))
    .description('release what is held for an address')
    .argument('<address>', 'the depositing address')
    .addHelpText('after', RELEASE_HELP)
    .action(async (address: string, options) => (await commands()).runReleaseCommand(address, options));
  const payouts = withPublicOptions(operator.command('payouts'))
    .description('list withdrawals, oldest first, and what each waits for')
    .addOption(
      new Option('--state <state>', 'those in one state').choices(['requested', 'committed', 'voided']),
    )
    .addHelpText('after', NEEDS('venue operator payouts --state requested'))
    .action(async (options: PayoutsOptions) => (await commands()).runPayoutsCommand(options));
  withYes(withPublicOptions(payouts.command('approve')))
    .description('sign for a payout that the limits of the batcher hold back')
    .requiredOption('--id <id>', 'the payout', payoutId)
    .addHelpText('after', APPROVE_HELP)
    // The command above takes the options that both have.
    .action(async (_: object, command: Command) =>
      (await commands()).runApprovePayoutCommand(command.optsWithGlobals<ApprovePayoutOptions>()),
    );
  withYes(withPublicOptions(operator.command('commit')))
    .description('note payouts that were committed on chain by hand')
    .requiredOption('--ids <ids>', 'the payouts, with commas between')
    .requiredOption('--tx <hash>', 'the transaction that committed them', txHash)
    .addHelpText('after', COMMIT_HELP)
    .action(async (options: CommitOptions) => (await commands()).runCommitCommand(options));
}

const commands = () => import('./operator-custody-commands.ts');

function payoutId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be the number of a payout.');
  return Number(text);
}

function txHash(text: string): string {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.');
  return text;
}
