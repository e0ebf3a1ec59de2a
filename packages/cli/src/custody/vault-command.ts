/** `venue vault`: puts a vault on a chain, with or without a gate, and checks one that is there. */

import { readVariables, variablesHelp } from '@venue/config';
import type { Hex } from '@venue/protocol';
import { parseAddress } from '@venue/protocol/address';
import { decimalToMicros } from '@venue/protocol/units';
import type { ExpectedVault, GateRequest, VerifyTarget } from '@venue/vault';
import { Command } from 'commander';
import { usageError } from '../base/command-error.ts';
import { withYes } from '../base/common-options.ts';
import { environment } from '../base/config.ts';
import { type OutputOptions, say, show } from '../terminal/output.ts';
import type { GateCommandOptions } from './gate-commands.ts';

const DEPLOY_HELP = `
Needs VENUE_DEPLOYER_KEY, the key that pays; it gets no right over the vault.

With --proposers in place of --operator, the vault's operator is a gate, made in the same transaction. Guardians can then
veto what the proposers post, the cold key rotates both, and --failsafe is the owner of a timelock that alone can sweep.
docs/explanation/vault.md says what a gate bounds and what not, and how to choose its numbers.

With --bind the ledger of the exchange at VENUE_URL is bound to the vault, once the deployment is verified, so that it
takes deposits of no other. That needs both secrets, VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2. Without --bind, the
last line says how to bind it afterwards.

Examples:
  venue vault deploy --rpc https://… --token 0x… --operator 0x… --failsafe 0x… --dry-run
  venue vault deploy --rpc https://… --token 0x… --failsafe 0x… --proposers 0x… --guardians 0x…,0x…,0x…,0x… \\
    --vetoes 2 --cold 0x… --free-usd 1000 --cap-usd 250000 --dry-run
`;

const VERIFY_HELP = `
Ends with 0 when code, immutables and creation are those of this repository. With --address alone nothing is known of
the storage, where a vault made by other creation code may hide entitlements: it says so in its last line and ends with
2. Name the transaction that made the vault with --tx, or the file of the deployment. Ends with 1 when a check fails, also
one of --chain-id, --token, --operator and --failsafe. A gate in front of the vault is verified with it.

Example:
  venue vault verify --rpc https://… --file vault.json
`;

const GATE_HELP = (words: string) => `
docs/explanation/vault.md says what a gate is, and what it does not prevent.

Example:
  venue vault gate ${words} --rpc https://…,https://… --file vault.json
${words === 'status' ? '' : variablesHelp('vault gate')}`;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

export function vaultCommand(): Command {
  const vault = new Command('vault').description('put a vault on a chain, and check one that is there');
  addDeployCommand(vault);
  addVerifyCommand(vault);
  vault.addCommand(gateCommand());
  return vault;
}

function gateCommand(): Command {
  const gate = new Command('gate').description(
    'see what is proposed at the gate, vote against it, execute it',
  );
  withGateOptions(gate.command('status'))
    .description('show what the gate lets through, what waits, and who may object')
    .addHelpText('after', GATE_HELP('status'))
    .action(async (options: GateCommandOptions) => (await gateCommands()).runStatusCommand(options));
  withYes(withGateOptions(gate.command('veto')))
    .description('vote, as a guardian, against a batch, a proposer, guardians or a sweep')
    .argument('<id>', 'the id of what is proposed, or the address of a proposer')
    .addHelpText('after', GATE_HELP('veto 0x…'))
    .action(async (id: string, options: GateCommandOptions) =>
      (await gateCommands()).runVetoCommand(id, options),
    );
  withYes(withGateOptions(gate.command('pause')))
    .description('stop, as a guardian, all commitments for a while')
    .addHelpText('after', GATE_HELP('pause'))
    .action(async (options: GateCommandOptions) => (await gateCommands()).runPauseCommand(options));
  withYes(withGateOptions(gate.command('execute')))
    .description('commit a batch that is due; any key will do')
    .argument('<id>', 'the id of the batch')
    .addHelpText('after', GATE_HELP('execute 0x…'))
    .action(async (id: string, options: GateCommandOptions) =>
      (await gateCommands()).runExecuteCommand(id, options),
    );
  return gate;
}

const gateCommands = () => import('./gate-commands.ts');

function withGateOptions(command: Command): Command {
  return command
    .requiredOption('--rpc <urls>', 'addresses of nodes of the chain, with commas between; all have to agree')
    .option('--file <file>', 'the file that the deployment wrote', 'vault.json')
    .option('--json', 'one JSON value on standard output, and nothing else');
}

function addDeployCommand(vault: Command): void {
  vault
    .command('deploy')
    .description('deploy a vault and write its addresses into a file')
    .requiredOption('--rpc <url>', 'address of a node of the chain')
    .requiredOption('--token <address>', 'the stablecoin, which has 6 decimals')
    .requiredOption('--failsafe <address>', 'who alone an emergency sweep can pay')
    .option('--operator <address>', 'who commits payouts, where there is no gate')
    .option('--proposers <addresses>', 'who may post batches to a gate, with commas between')
    .option('--guardians <addresses>', 'who may veto them, with commas between')
    .option('--vetoes <number>', 'how many guardians it takes')
    .option('--cold <address>', 'who rotates proposers and guardians')
    .option('--free-usd <amount>', 'what may leave without delay in an epoch', '0')
    .option('--cap-usd <amount>', 'what may leave in an epoch at all')
    .option('--epoch <time>', 'the period over which amounts are counted', '24h')
    .option('--short-delay <time>', 'the delay of up to a tenth of the vault', '1h')
    .option('--long-delay <time>', 'the delay of more than that', '24h')
    .option('--change-delay <time>', 'the delay of new proposers and guardians', '72h')
    .option('--sweep-delay <time>', 'the delay of a sweep', '72h')
    .option('--chain-id <number>', 'refuse any other chain')
    .option('--out <file>', 'file for the addresses', 'vault.json')
    .option('--dry-run', 'show what would be done and what it costs, and send nothing')
    .option('--bind', 'then bind the ledger of the exchange to it')
    .option('--after-another', 'with --bind: earlier vaults paid all that the ledger has recorded so far')
    .option('--funder <address>', "with --bind: whose deposits are the house's capital")
    .option('--url <url>', 'with --bind: address of the venue, instead of VENUE_URL')
    .option('--yes', 'with --bind: go ahead without asking')
    .option('--json', 'one JSON value on standard output; the steps go to standard error')
    .addHelpText('after', DEPLOY_HELP)
    .action(runDeployCommand);
}

function addVerifyCommand(vault: Command): void {
  vault
    .command('verify')
    .description('compare the code on chain with that of this repository')
    .requiredOption('--rpc <url>', 'address of a node of the chain')
    .option('--file <file>', 'the file that the deployment wrote')
    .option('--address <address>', 'the vault, where there is no file')
    .option('--tx <hash>', 'with --address, the transaction that made the vault')
    .option('--chain-id <number>', 'the chain it has to be on')
    .option('--token <address>', 'the stablecoin it has to hold')
    .option('--operator <address>', 'whom it has to obey: a key, or a gate')
    .option('--failsafe <address>', 'whom its sweep has to pay')
    .option('--json', 'one JSON value on standard output; the steps go to standard error')
    .addHelpText('after', VERIFY_HELP)
    .action(runVerifyCommand);
}

interface GateOptions {
  readonly operator?: string;
  readonly proposers?: string;
  readonly guardians?: string;
  readonly vetoes?: string;
  readonly cold?: string;
  readonly freeUsd: string;
  readonly capUsd?: string;
  readonly epoch: string;
  readonly shortDelay: string;
  readonly longDelay: string;
  readonly changeDelay: string;
  readonly sweepDelay: string;
}

interface DeployCommandOptions extends OutputOptions, GateOptions {
  readonly rpc: string;
  readonly token: string;
  readonly failsafe: string;
  readonly chainId?: string;
  readonly out: string;
  readonly dryRun?: boolean;
  readonly bind?: boolean;
  readonly afterAnother?: boolean;
  readonly funder?: string;
  readonly url?: string;
  readonly yes?: true;
}

async function runDeployCommand(options: DeployCommandOptions): Promise<void> {
  const { rpc, chainId, dryRun = false, json, token, failsafe, out } = options;
  const { VENUE_DEPLOYER_KEY: deployerKey } = readVariables('vault deploy', environment());
  const operator = operatorOf(options);
  const bind = await binderOf(options);
  const log = json ? say : console.log;
  const { deployVault } = await import('@venue/vault');
  const { addresses } = await deployVault({
    rpcUrl: rpc,
    token,
    operator,
    failsafe,
    out,
    deployerKey,
    dryRun,
    log,
    ...(chainId !== undefined && { chainId: chainIdOf(chainId) }),
  });
  if (addresses !== undefined) await bind(log);
  if (json) show({ json }, addresses ?? null, () => []);
}

/** Binds the ledger to the vault of the file, or says how (CUS-1). Refuses at once what could not be bound afterwards. */
async function binderOf({ bind, afterAnother, funder, url, yes, out }: DeployCommandOptions) {
  const byHand = `venue operator bind --file ${out}`;
  if (bind !== true) {
    if (afterAnother === true || funder !== undefined || url !== undefined || yes === true)
      throw usageError('--after-another, --funder, --url and --yes of vault deploy go with --bind');
    return async (log: (line: string) => void) =>
      log(`next       bind the ledger to it, so that it takes deposits of no other: ${byHand}`);
  }
  const { bindLedger, boundText, refuseUnbindable } = await import('./operator-repairs-commands.ts');
  const options = {
    file: out,
    ...(afterAnother === true && { afterAnother }),
    ...(funder !== undefined && { funder }),
    ...(url !== undefined && { url }),
    ...(yes === true && { yes }),
  };
  await refuseUnbindable(options);
  return async (log: (line: string) => void) => {
    try {
      log(boundText(await bindLedger(options)));
    } catch (error) {
      say(`the vault is deployed and the ledger is not known to be bound to it; try again with: ${byHand}`);
      throw error;
    }
  };
}

function operatorOf(options: GateOptions): string | GateRequest {
  const { operator, proposers, guardians, vetoes, cold, capUsd } = options;
  const ofGate = [proposers, guardians, vetoes, cold, capUsd];
  if (operator !== undefined && ofGate.every((one) => one === undefined)) return operator;
  if (
    operator !== undefined ||
    proposers === undefined ||
    guardians === undefined ||
    vetoes === undefined ||
    cold === undefined ||
    capUsd === undefined
  )
    throw usageError(
      'vault deploy takes either --operator, or for a gate all of --proposers, --guardians, --vetoes, --cold and --cap-usd',
    );
  if (!/^\d{1,3}$/.test(vetoes)) throw usageError(`--vetoes must be a number, not "${vetoes}"`);
  return {
    cold,
    proposers: listOf(proposers),
    guardians: listOf(guardians),
    vetoes: Number(vetoes),
    freeMaxMicros: amountOf('--free-usd', options.freeUsd),
    capMaxMicros: amountOf('--cap-usd', capUsd),
    epochSeconds: secondsOf('--epoch', options.epoch),
    shortDelaySeconds: secondsOf('--short-delay', options.shortDelay),
    longDelaySeconds: secondsOf('--long-delay', options.longDelay),
    changeDelaySeconds: secondsOf('--change-delay', options.changeDelay),
    sweepDelaySeconds: secondsOf('--sweep-delay', options.sweepDelay),
  };
}

function listOf(text: string): string[] {
  return text.split(',').map((one) => one.trim());
}

function amountOf(name: string, text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text))
    throw usageError(`${name} must be an amount in US dollars below a billion, not "${text}"`);
  return decimalToMicros(Number(text))!;
}

/** Seconds of a time such as 90s, 30m, 24h or 3d. */
function secondsOf(name: string, text: string): number {
  const [, digits, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined)
    throw usageError(`${name} must be a time like 90s, 30m, 24h or 3d, not "${text}"`);
  return Number(digits) * UNITS[unit]!;
}

function chainIdOf(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw usageError(`--chain-id must be a number, not "${text}"`);
  return Number(text);
}

interface VerifyCommandOptions extends OutputOptions {
  readonly rpc: string;
  readonly file?: string;
  readonly address?: string;
  readonly tx?: string;
  readonly chainId?: string;
  readonly token?: string;
  readonly operator?: string;
  readonly failsafe?: string;
}

/** Compares a vault with the artifact, and with what the person expects (OWN-63). */
async function runVerifyCommand({ rpc, json, ...options }: VerifyCommandOptions): Promise<void> {
  const target = targetOf(options);
  const expected = expectedOf(options);
  const { verifyVault } = await import('@venue/vault');
  const verification = await verifyVault({ rpcUrl: rpc, target, expected, log: json ? say : console.log });
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

function expectedOf({
  chainId,
  ...options
}: VerifyCommandOptions | Omit<VerifyCommandOptions, 'rpc'>): ExpectedVault {
  const roles = (['token', 'operator', 'failsafe'] as const).flatMap((role) => {
    const text = options[role];
    if (text === undefined) return [];
    const address = parseAddress(text);
    if (address === undefined) throw usageError(`--${role} must be 0x and 40 hex digits, not "${text}"`);
    return [[role, address] as const];
  });
  return { ...Object.fromEntries(roles), ...(chainId !== undefined && { chainId: chainIdOf(chainId) }) };
}
