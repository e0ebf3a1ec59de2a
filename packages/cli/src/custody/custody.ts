/** `venue watcher`, `batcher`, `checker` and `reserves`: the subcommands for the vault on chain. `venue vault` stands apart. */

import { variablesHelp } from '@venue/config';
import type { Command } from 'commander';
import { showFindings } from '../base/check.ts';
import { CHECK_OPTION, withPublicOptions } from '../base/common-options.ts';
import { environment } from '../base/config.ts';
import { stopSignal, stopWithParent } from '../base/stop-signal.ts';
import type { ProcessOptions } from '../process/commands.ts';
import { CHECKS } from '../process/process-checks.ts';
import type { ReservesOptions } from './reserves.ts';
import { vaultCommand } from './vault-command.ts';

const WATCHER_HELP = `
Reports every deposit of the vault to the exchange once it has its confirmations; each is credited once, however often
it is reported. docs/how-to/run-custody.md says what each alarm means.

Example:
  venue watcher
${variablesHelp('watcher')}`;

const BATCHER_HELP = `
Commits requested withdrawals on chain in batches, and tells the exchange once that is final. It checks before each batch
that the vault covers what the exchange owes, and signs nothing when it does not. Run one for a vault, never two.

Example:
  venue batcher
${variablesHelp('batcher')}`;

const CHECKER_HELP = `
Recomputes every payout that the gate is asked to commit, from a copy of the log and a node of its own, and vetoes what
does not follow. Run it on a machine that neither exchange nor batcher can reach, with the key of a guardian. Exchange,
batcher and proposer's key together can then take nothing within the delay.

Example:
  venue checker
${variablesHelp('checker')}`;

const ATTESTOR_HELP = `
Asks the nodes of VENUE_RPC_URLS whether contract wallets accept the approvals that the exchange has parked, and tells the
exchange what all of them answer. It signs nothing and keeps nothing; two of them do no harm.

Example:
  venue attestor
${variablesHelp('attestor')}`;

const RESERVES_HELP = `
Without a node of the chain it shows what the exchange says it owes. With nodes, of --rpc or VENUE_RPC_URLS, it reads what
the vault holds as well, and compares the two: balance, deposits and commitments, by the vault's own events. Anybody can:
it needs no secret. With the operators' (VENUE_OPERATOR_TOKEN) every deposit and every payout is compared.

Ends with 1 when the contract is not the vault, when it does not cover what is owed or will be missing at settlement, when
more was credited than deposited, or when something was committed that nobody asked for. Ends with 2 when nothing fails, and
something is committed of which only the operators' secret shows whether it was asked for.

What the exchange owes is its own word. docs/explanation/custody.md says what the result proves and what not.

Examples:
  venue reserves
  venue vault verify --rpc https://… --address 0x… --tx 0x…
  venue reserves --rpc https://… --vault 0x… --token 0x…
${variablesHelp('reserves')}`;

/** Adds the commands to the program. */
export function addCustodyCommands(venue: Command): void {
  venue
    .command('watcher')
    .description('credit deposits of the vault at the exchange')
    .option(...CHECK_OPTION)
    .addHelpText('after', WATCHER_HELP)
    .action(runWatcherCommand);
  venue
    .command('batcher')
    .description('commit withdrawals on chain')
    .option(...CHECK_OPTION)
    .addHelpText('after', BATCHER_HELP)
    .action(runBatcherCommand);
  venue
    .command('checker')
    .description('veto what the gate should not commit')
    .option(...CHECK_OPTION)
    .addHelpText('after', CHECKER_HELP)
    .action(runCheckerCommand);
  venue
    .command('attestor')
    .description('ask the chain what contract wallets approve')
    .option(...CHECK_OPTION)
    .addHelpText('after', ATTESTOR_HELP)
    .action(runAttestorCommand);
  addReservesCommand(venue);
  venue.addCommand(vaultCommand());
}

/** Adds `reserves`, which both traders and operators use. */
export function addReservesCommand(to: Command): void {
  withPublicOptions(to.command('reserves'))
    .description('show what the exchange owes, and compare it with what the vault holds')
    .option(
      '--rpc <url>',
      'addresses of nodes of the chain, with commas between them, instead of VENUE_RPC_URLS',
    )
    .option('--vault <address>', 'address of the vault, instead of VENUE_VAULT_ADDRESS')
    .option('--token <address>', 'the stablecoin that the vault has to hold, instead of VENUE_TOKEN_ADDRESS')
    .addHelpText('after', RESERVES_HELP)
    .action(async (options: ReservesOptions) => (await import('./reserves.ts')).runReservesCommand(options));
}

async function runWatcherCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.watcher(environment()));
  const { loadWatcherConfig, runWatcher } = await import('@venue/vault');
  stopWithParent();
  await runWatcher({ config: loadWatcherConfig(environment()), signal: stopSignal(), log: console.log });
}

async function runCheckerCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.checker(environment()));
  const { loadCheckerConfig, runChecker } = await import('@venue/checker');
  stopWithParent();
  await runChecker({ config: loadCheckerConfig(environment()), signal: stopSignal(), log: console.log });
}

async function runAttestorCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.attestor(environment()));
  const { loadAttestorConfig, runAttestor } = await import('@venue/vault');
  stopWithParent();
  await runAttestor({ config: loadAttestorConfig(environment()), signal: stopSignal(), log: console.log });
}

async function runBatcherCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.batcher(environment()));
  const { loadBatcherConfig, runBatcher } = await import('@venue/vault');
  stopWithParent();
  await runBatcher({ config: loadBatcherConfig(environment()), signal: stopSignal(), log: console.log });
}
