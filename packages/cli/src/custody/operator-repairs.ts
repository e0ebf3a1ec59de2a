/** `venue operator bind|epoch|adopt|void|freeze|unfreeze|hold|reverse`: the ledger's vault, and what can be put right. */

import { type Command, InvalidArgumentError } from 'commander';
import { withPublicOptions, withYes } from '../base/common-options.ts';
import type {
  AdoptOptions,
  BindOptions,
  DoubtOptions,
  EpochOptions,
  FreezeOptions,
  VoidOptions,
} from './operator-repairs-commands.ts';

const BIND_HELP = `
Binds the ledger to a chain and a vault: from then on it takes deposits of that vault only, and its reserves count from
there. A ledger that takes deposits of any vault credits worthless ones beside real money.

Where another vault was used before and is given up, add --after-another: what it paid and took stays in the past, and
nothing of it has to be funded again. Note its last commitments first.

Where another vault was bound by mistake, or by a thief, bind the true one again with --paid-before and --deposited-before:
what "venue operator audit" shows of its first binding, in dollars.

Deposits of the funder are the house's capital, and the house line is what it paid in.

Needs VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2, and the exchange at VENUE_URL. Two people can each run it with the one
that they have: the second binds, if it asks for the same within 15 minutes.

Examples:
  venue operator bind --file vault.json
  venue operator bind --file vault-2.json --after-another --funder 0x52908400098527886e0f7030069857d2e4169ee7
`;

const EPOCH_HELP = `
For a ledger that was restored from an old copy: it would give numbers to payouts that the vault has seen already. In
the next epoch no number can be one that was given before. Then adopt what the chain has and the ledger lost.

Needs VENUE_OPERATOR_TOKEN.

Example:
  venue operator epoch --reason "restored from the backup of 3 May"
`;

const ADOPT_HELP = `
Records payouts that the vault has committed and this ledger does not know, because it was restored from an older copy:
their accounts are debited, into debt where the cash is gone. It reads the chain at VENUE_RPC_URLS and the vault at
VENUE_VAULT_ADDRESS, and shows every payout before it asks. A commitment that nobody ever asked the exchange for is a
theft, not a lost payout: do not adopt it.

Needs VENUE_OPERATOR_TOKEN. Raise the epoch first.

Examples:
  venue operator adopt --reason "lost with the newer copy"
  venue operator adopt --payout 17 --reason "lost with the newer copy"
`;

const VOID_HELP = `
Gives the cash of a requested payout back to its account, because it can never be made: its number is taken on chain,
say. Stop the batcher first, and be sure that no transaction of it is on its way: a payout that is committed after all
is paid twice.

Needs VENUE_OPERATOR_TOKEN.

Example:
  venue operator void 17 --reason "its number was taken on chain"
`;

const doubtHelp = (what: 'hold' | 'reverse') => `
Hold takes a credited deposit out of its owner's reach: it may not be on the chain. "venue operator release" gives it back;
reverse takes back for good what is held, so that the watcher can credit what the chain has instead.

Needs VENUE_OPERATOR_TOKEN.

Example:
  venue operator ${what} --tx 0x… --log-index 3 --reason "no server shows this log"
`;

const freezeHelp = (word: string) =>
  `\nNeeds VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL.\n\nExample:\n  venue operator ${word} 0x52908400098527886e0f7030069857d2e4169ee7 --reason "a stolen key"\n`;

/** Adds the commands to those of operators. */
export function addRepairCommands(operator: Command): void {
  const add = (name: string) => withYes(withPublicOptions(operator.command(name)));
  add('bind')
    .description('bind the ledger to a vault')
    .option('--file <file>', 'the file that the deployment of the vault wrote')
    .option('--chain-id <number>', 'the chain, where there is no file', count)
    .option('--vault <address>', 'the vault, where there is no file')
    .option('--after-another', 'earlier vaults paid all that the ledger has recorded so far')
    .option('--paid-before <usd>', 'what earlier vaults paid, to bind a vault again that was bound before')
    .option('--deposited-before <usd>', 'what earlier vaults took in, likewise')
    .option('--funder <address>', "whose deposits are the house's capital")
    .addHelpText('after', BIND_HELP)
    .action(async (options: BindOptions) => (await commands()).runBindCommand(options));
  withReason(add('epoch'))
    .description('raise the epoch, after the ledger was restored from an old copy')
    .addHelpText('after', EPOCH_HELP)
    .action(async (options: EpochOptions) => (await commands()).runEpochCommand(options));
  withReason(add('adopt'))
    .description('record payouts that the chain has and the ledger lost')
    .option('--payout <number>', 'only this one, by its number in the vault', count)
    .option('--from-block <number>', 'a block no later than the deployment of the vault', count)
    .addHelpText('after', ADOPT_HELP)
    .action(async (options: AdoptOptions) => (await commands()).runAdoptCommand(options));
  withReason(add('void'))
    .description('give the cash of a payout back that can never be made')
    .argument('<id>', 'the withdrawal', count)
    .addHelpText('after', VOID_HELP)
    .action(async (id: number, options: VoidOptions) => (await commands()).runVoidCommand(id, options));
  for (const frozen of [true, false]) {
    withReason(add(frozen ? 'freeze' : 'unfreeze'))
      .description(frozen ? "refuse an account's withdrawals" : "let an account's withdrawals again")
      .argument('<address>', 'the account')
      .addHelpText('after', freezeHelp(frozen ? 'freeze' : 'unfreeze'))
      .action(async (address: string, options: FreezeOptions) =>
        (await commands()).runFreezeCommand(address, frozen, options),
      );
  }
  for (const what of ['hold', 'reverse'] as const) {
    withReason(add(what))
      .description(
        what === 'hold'
          ? "take a doubtful deposit out of its owner's reach"
          : 'take back a deposit that is held in doubt',
      )
      .requiredOption('--tx <hash>', 'the transaction of the deposit', txHash)
      .requiredOption('--log-index <number>', 'the index of its log', count)
      .addHelpText('after', doubtHelp(what))
      .action(async (options: DoubtOptions) => (await commands()).runDoubtCommand(what, options));
  }
}

const commands = () => import('./operator-repairs-commands.ts');

function withReason(command: Command): Command {
  return command.requiredOption('--reason <text>', 'why, in one line, for the audit');
}

function count(text: string): number {
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

function txHash(text: string): string {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.');
  return text.toLowerCase();
}
