/** `venue watcher`, `batcher`, `reserves` and `vault`: the subcommands for the vault on chain. */

import { readVariables, variablesHelp } from '@venue/config';
import type { Hex } from '@venue/protocol';
import type { VerifyTarget } from '@venue/vault';
import { Command } from 'commander';
import { checkClient, showFindings } from './check.ts';
import { usageError } from './command-error.ts';
import type { ProcessOptions } from './commands.ts';
import { CHECK_OPTION, withPublicOptions } from './common-options.ts';
import { environment } from './config.ts';
import type { ReservesOptions } from './reserves.ts';
import { stopSignal, stopWithParent } from './stop-signal.ts';
import { type OutputOptions, say, show } from './terminal/output.ts';

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

const RESERVES_HELP = `
Without a node of the chain it shows what the exchange says it owes. With nodes, of --rpc or VENUE_RPC_URLS, it reads what
the vault holds as well, and compares the two. Anybody can: it needs no secret. Ends with 1 when the vault does not cover what is owed, and when more was
committed on chain than the exchange was ever asked for.

Run \`venue vault verify\` first: figures of a contract that is not the vault prove nothing, nor do those of a token that
anybody may mint. What the exchange owes is its own word. docs/explanation/custody.md says what the result proves and what not.

Examples:
  venue reserves
  venue vault verify --rpc https://… --address 0x… --tx 0x…
  venue reserves --rpc https://… --vault 0x… --token 0x…
${variablesHelp('reserves')}`;

const VERIFY_HELP = `
Ends with 0 when code, immutables and creation are those of this repository. With --address alone nothing is known of
the storage, where a vault made by other creation code may hide entitlements: it says so in its last line and ends with
2. Name the transaction that made the vault with --tx, or the file of the deployment. Ends with 1 when a check fails.

Example:
  venue vault verify --rpc https://… --file vault.json
`;

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
  const { loadWatcherConfig, runWatcher } = await import('@venue/vault');
  if (check) return showFindings(checkClient('watcher', environment(), loadWatcherConfig));
  stopWithParent();
  await runWatcher({ config: loadWatcherConfig(environment()), signal: stopSignal(), log: console.log });
}

async function runBatcherCommand({ check }: ProcessOptions): Promise<void> {
  const { loadBatcherConfig, runBatcher } = await import('@venue/vault');
  if (check) return showFindings(checkClient('batcher', environment(), loadBatcherConfig));
  stopWithParent();
  await runBatcher({ config: loadBatcherConfig(environment()), signal: stopSignal(), log: console.log });
}

function vaultCommand(): Command {
  const vault = new Command('vault').description('put a vault on a chain, and check one that is there');
  vault
    .command('deploy')
    .description('deploy a vault and write its addresses into a file')
    .requiredOption('--rpc <url>', 'address of a node of the chain')
    .requiredOption('--token <address>', 'the stablecoin, which has 6 decimals')
    .requiredOption('--operator <address>', 'who commits payouts')
    .requiredOption('--failsafe <address>', 'who alone an emergency sweep can pay')
    .option('--chain-id <number>', 'refuse any other chain')
    .option('--out <file>', 'file for the addresses', 'vault.json')
    .option('--dry-run', 'show what would be done and what it costs, and send nothing')
    .addHelpText(
      'after',
      '\nNeeds VENUE_DEPLOYER_KEY, the key that pays; it gets no right over the vault.\n\nExample:\n  venue vault deploy --rpc https://… --token 0x… --operator 0x… --failsafe 0x… --dry-run\n',
    )
    .option('--json', 'one JSON value on standard output; the steps go to standard error')
    .action(runDeployCommand);
  vault
    .command('verify')
    .description('compare the code on chain with that of this repository')
    .requiredOption('--rpc <url>', 'address of a node of the chain')
    .option('--file <file>', 'the file that the deployment wrote')
    .option('--address <address>', 'the vault, where there is no file')
    .option('--tx <hash>', 'with --address, the transaction that made the vault')
    .addHelpText('after', VERIFY_HELP)
    .option('--json', 'one JSON value on standard output; the steps go to standard error')
    .action(runVerifyCommand);
  return vault;
}

interface DeployCommandOptions extends OutputOptions {
  readonly rpc: string;
  readonly token: string;
  readonly operator: string;
  readonly failsafe: string;
  readonly chainId?: string;
  readonly out: string;
  readonly dryRun?: boolean;
}

async function runDeployCommand({ rpc, chainId, dryRun = false, json, ...options }: DeployCommandOptions) {
  const { VENUE_DEPLOYER_KEY: deployerKey } = readVariables('vault deploy', environment());
  if (chainId !== undefined && !/^\d{1,12}$/.test(chainId))
    throw usageError(`--chain-id must be a number, not "${chainId}"`);
  const { deployVault } = await import('@venue/vault');
  const { addresses } = await deployVault({
    ...options,
    rpcUrl: rpc,
    deployerKey,
    dryRun,
    log: json ? say : console.log,
    ...(chainId !== undefined && { chainId: Number(chainId) }),
  });
  if (json) show({ json }, addresses ?? null, () => []);
}

interface VerifyCommandOptions extends OutputOptions {
  readonly rpc: string;
  readonly file?: string;
  readonly address?: string;
  readonly tx?: string;
}

async function runVerifyCommand({ rpc, json, ...options }: VerifyCommandOptions): Promise<void> {
  const target = targetOf(options);
  const { verifyVault } = await import('@venue/vault');
  const verification = await verifyVault({ rpcUrl: rpc, target, log: json ? say : console.log });
  if (json) show({ json }, verification, () => []);
  if (!verification.holds) process.exitCode = 1;
  else if (!verification.isStorageVerified) process.exitCode = 2;
}

function targetOf({ file, address, tx }: Omit<VerifyCommandOptions, 'rpc'>): VerifyTarget {
  if (tx !== undefined && (file !== undefined || !/^0x[0-9a-fA-F]{64}$/.test(tx)))
    throw usageError('--tx goes with --address: the hash of a transaction, 0x and 64 hex digits');
  if (file !== undefined && address === undefined) return { file };
  if (file === undefined && /^0x[0-9a-fA-F]{40}$/.test(address ?? ''))
    return { address: address as Hex, ...(tx !== undefined && { txHash: tx as Hex }) };
  throw usageError('vault verify takes either --file or --address with 0x and 40 hex digits');
}
