/** `venue operator bind`, `epoch`, `adopt`, `void`, `freeze`, `hold` and `reverse` (CUS-1, CUS-3, CUS-4). */

import {
  type Address,
  type BindAnswer,
  decimalToMicros,
  microsToDecimal,
  parseAddress,
  toMicros,
} from '@venue/protocol';
import {
  ConflictError,
  type CustodyCalls,
  type OperatorPayout,
  RefusedError,
  type VenueClient,
} from '@venue/sdk';
import type { ReservesConfig } from '@venue/vault';
import { CommandError, usageError } from '../base/command-error.ts';
import { environment } from '../base/config.ts';
import { type CommonOptions, publicClient, urlOf } from '../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../connection/live-money.ts';
import { bindTokens, operatorToken } from '../connection/operator-config.ts';
import { sendForOperator } from '../connection/operator-outcome.ts';
import { exactUsd, payoutsText } from '../connection/payout-text.ts';
import { canAsk } from '../terminal/confirm.ts';
import { show } from '../terminal/output.ts';

type RepairOptions = CommonOptions & LiveMoneyOptions & { readonly reason: string };

export interface BindOptions extends CommonOptions, LiveMoneyOptions {
  readonly file?: string;
  readonly chainId?: number;
  readonly vault?: string;
  readonly afterAnother?: boolean;
  readonly paidBefore?: string;
  readonly depositedBefore?: string;
  readonly funder?: string;
}

/** Binds the ledger to a vault, and prints what it was bound to (CUS-1). */
export async function runBindCommand(options: BindOptions): Promise<void> {
  const answer = await bindLedger(options);
  show(options, answer, () => [boundText(answer)]);
}

/** Binds the ledger to a vault, once a person has said yes. */
export async function bindLedger(options: BindOptions): Promise<BindAnswer> {
  const { chainId, vault } = await vaultOf(options);
  const funder = options.funder === undefined ? null : addressOf('--funder', options.funder);
  const tokens = bindTokens(environment());
  const client = publicClient(options);
  const reserves = await client.market.reserves();
  const isSame = reserves.chainId === chainId && reserves.vault === vault;
  const past =
    namedPast(options) ?? pastOf(reserves, { isSame, isAfterAnother: options.afterAnother === true });
  await allowLiveMoney(client, options, {
    question: 'Bind the ledger',
    cost: async () => [
      reserves.vault === null
        ? 'it is bound to no vault and takes deposits of any'
        : `it is bound to the vault ${reserves.vault} on chain ${reserves.chainId}`,
      `to the vault ${vault} on chain ${chainId}, deposits of the house from ${funder ?? 'nobody'}`,
      `earlier vaults took ${exactUsd(past.depositedBeforeUsd)} and paid ${exactUsd(past.paidBeforeUsd)}`,
      ...(options.afterAnother === true && reserves.pendingWithdrawalsUsd > 0
        ? [
            `${exactUsd(reserves.pendingWithdrawalsUsd)} is asked for and not noted as committed: what an earlier vault has ` +
              'committed of it is paid twice unless it is noted first',
          ]
        : []),
    ],
  });
  return sendForOperator({ what: 'it was bound', look: 'venue reserves' }, () =>
    client.custody('').bind({ chainId, vault, ...past, funder }, tokens),
  );
}

/**
 * Refuses what would keep the ledger from being bound to a vault that is yet to be deployed: a missing secret, a venue
 * that does not answer, runs on paper money or is bound already, nobody to ask.
 */
export async function refuseUnbindable(options: BindOptions): Promise<void> {
  bindTokens(environment());
  if (options.funder !== undefined) addressOf('--funder', options.funder);
  const client = publicClient(options);
  const { fundingMode } = await client.market.health();
  if (fundingMode === 'paper')
    throw new CommandError(`${client.url} runs on paper money: there is no ledger to bind`);
  pastOf(await client.market.reserves(), {
    isSame: false,
    isAfterAnother: options.afterAnother === true,
  });
  if (options.yes !== true && !canAsk())
    throw new CommandError(
      `${client.url} holds real money and there is no terminal to ask on: nothing was deployed; add --yes if you mean it`,
    );
}

export function boundText({ bound, vault, chainId }: BindAnswer): string {
  const what = `to the vault ${vault} on chain ${chainId}`;
  return bound
    ? `bound ${what}`
    : `asked to be bound ${what}: the second operator must ask for the same within 15 minutes`;
}

interface Past {
  readonly paidBeforeUsd: number;
  readonly depositedBeforeUsd: number;
}

/** The past of a vault that was bound before, or null where none is named. */
function namedPast({ paidBefore, depositedBefore, afterAnother }: BindOptions): Past | null {
  if (paidBefore === undefined && depositedBefore === undefined) return null;
  if (paidBefore === undefined || depositedBefore === undefined || afterAnother === true)
    throw usageError('bind takes --paid-before with --deposited-before, or --after-another');
  return {
    paidBeforeUsd: usdOf('--paid-before', paidBefore),
    depositedBeforeUsd: usdOf('--deposited-before', depositedBefore),
  };
}

function usdOf(what: string, text: string): number {
  const usd = /^\d+(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (decimalToMicros(usd) === undefined)
    throw usageError(`${what} must be an amount in dollars, not "${text}"`);
  return usd;
}

function pastOf(
  reserves: Past & {
    readonly vault: string | null;
    readonly committedWithdrawalsUsd: number;
    readonly depositedUsd: number;
  },
  { isSame, isAfterAnother }: { readonly isSame: boolean; readonly isAfterAnother: boolean },
): Past {
  const { paidBeforeUsd, depositedBeforeUsd, committedWithdrawalsUsd, depositedUsd, vault } = reserves;
  if (isSame) return { paidBeforeUsd, depositedBeforeUsd };
  if (isAfterAnother)
    return {
      paidBeforeUsd: committedWithdrawalsUsd,
      depositedBeforeUsd: sumUsd(depositedBeforeUsd, depositedUsd),
    };
  if (vault === null) return { paidBeforeUsd: 0, depositedBeforeUsd: 0 };
  throw usageError(`the ledger is bound to the vault ${vault}: add --after-another if that one is given up`);
}

/** Exact in micros, which the sum of two decimals need not be. */
function sumUsd(a: number, b: number): number {
  return microsToDecimal(toMicros(Math.round(a * 1e6) + Math.round(b * 1e6)));
}

async function vaultOf({ file, chainId, vault }: BindOptions): Promise<{ chainId: number; vault: Address }> {
  if (file !== undefined && chainId === undefined && vault === undefined) {
    const { readAddresses } = await import('@venue/vault');
    const addresses = readAddresses(file);
    return { chainId: addresses.chainId, vault: addressOf('--file', addresses.vault) };
  }
  if (file === undefined && chainId !== undefined && vault !== undefined)
    return { chainId, vault: addressOf('--vault', vault) };
  throw usageError('bind takes either --file, or --chain-id and --vault');
}

export type EpochOptions = RepairOptions;

/** Raises the epoch by one (CUS-3). */
export async function runEpochCommand({ reason, ...options }: EpochOptions): Promise<void> {
  const client = publicClient(options);
  const { epoch: before } = await client.market.reserves();
  const epoch = before + 1;
  await allowLiveMoney(client, options, {
    question: 'Raise the epoch',
    isFinal: true,
    cost: async () => [`from ${before} to ${epoch}; payouts that are requested already keep their numbers`],
  });
  const answer = await sendForOperator({ what: 'it was raised', look: 'venue reserves' }, () =>
    custody(options).raiseEpoch({ epoch, reason }),
  );
  show(options, answer, () => [`the epoch is ${answer.epoch}`]);
}

export interface AdoptOptions extends RepairOptions {
  readonly payout?: number;
  readonly fromBlock?: number;
}

/** Records what the chain has and the ledger does not (CUS-4). */
export async function runAdoptCommand({
  reason,
  payout,
  fromBlock,
  ...options
}: AdoptOptions): Promise<void> {
  const client = publicClient(options);
  const calls = custody(options);
  const known = new Map<number, OperatorPayout>();
  for await (const row of calls.payouts()) if (row.state !== 'voided') known.set(row.payoutId, row);
  const { loadReservesConfig, readVaultCommitments } = await import('@venue/vault');
  const config = await ofBoundVault(
    client,
    loadReservesConfig({ ...environment(), VENUE_URL: urlOf(options) }),
  );
  const onChain = await readVaultCommitments(config, { fromBlock: fromBlock ?? null });
  const wanted = onChain
    .map(({ payoutId, amount, account, txHash }) => ({
      payoutId: Number(payoutId),
      address: account,
      amountUsd: microsToDecimal(toMicros(Number(amount))),
      txHash,
    }))
    .filter(({ payoutId }) => payout === undefined || payoutId === payout);
  refuseTaken(wanted, known);
  const lost = wanted.filter(({ payoutId }) => !known.has(payoutId));
  if (lost.length === 0)
    throw new CommandError(
      payout === undefined
        ? 'the chain shows no payout that the ledger does not know'
        : `the chain shows no payout ${payout} that the ledger does not know`,
    );
  await allowLiveMoney(client, options, {
    question: `Adopt ${lost.length} ${lost.length === 1 ? 'payout' : 'payouts'}`,
    isFinal: true,
    cost: async () => [
      'the chain shows these, and the ledger does not know them; each debits its account:',
      ...lost.map((row) => `${row.payoutId}: ${exactUsd(row.amountUsd)} to ${row.address} in ${row.txHash}`),
    ],
  });
  const adopted: OperatorPayout[] = [];
  const refused: string[] = [];
  for (const row of lost) {
    try {
      const answer = await sendForOperator({ what: 'it was adopted', look: 'venue operator payouts' }, () =>
        calls.adopt({ ...row, reason }),
      );
      adopted.push(answer.payout);
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof ConflictError)) throw error;
      refused.push(`${row.payoutId} (${row.address}: ${error.message})`);
    }
  }
  show(options, adopted, (page) => payoutsText(adopted, page));
  if (refused.length > 0)
    throw new CommandError(
      `not adopted: ${refused.join(', ')}; for an account that is frozen because its deposits are held, run "venue operator ` +
        'release <address>", and adopt again',
    );
}

/** A commitment of another vault would permanently count as paid by the ledger's vault (CUS-1). */
async function ofBoundVault(client: VenueClient, config: ReservesConfig): Promise<ReservesConfig> {
  const { vault, chainId } = await client.market.reserves();
  if (vault === null) return config;
  if (vault !== config.vault)
    throw new CommandError(
      `the ledger is bound to the vault ${vault}, and VENUE_VAULT_ADDRESS is ${config.vault}: only what its own vault has ` +
        'committed can be adopted',
    );
  return { ...config, chainId };
}

/** A number that the chain has with other terms: what the ledger asks for under it can never be made. */
function refuseTaken(
  onChain: readonly { readonly payoutId: number; readonly address: string; readonly amountUsd: number }[],
  known: ReadonlyMap<number, OperatorPayout>,
): void {
  const taken = onChain.flatMap(({ payoutId, address, amountUsd }) => {
    const row = known.get(payoutId);
    const isSame = row === undefined || (row.address === address && row.amountUsd === amountUsd);
    return isSame ? [] : [row.id];
  });
  if (taken.length > 0)
    throw new CommandError(
      `the chain has other terms under the numbers of withdrawals ${taken.join(', ')}: void them first`,
    );
}

export type VoidOptions = RepairOptions;

/** Gives the cash of a payout back (CUS-4). */
export async function runVoidCommand(id: number, { reason, ...options }: VoidOptions): Promise<void> {
  const calls = custody(options);
  await allowLiveMoney(publicClient(options), options, {
    question: `Void payout ${id}`,
    isFinal: true,
    cost: async () => {
      for await (const row of calls.payouts({ after: id - 1 }))
        if (row.id === id)
          return [`payout ${id}, ${row.state}: ${exactUsd(row.amountUsd)} back to ${row.address}`];
      return [`there is no payout ${id}`];
    },
  });
  const { payout } = await sendForOperator({ what: 'it was voided', look: 'venue operator payouts' }, () =>
    calls.void({ id, reason }),
  );
  show(options, payout, (page) => payoutsText([payout], page));
}

export type FreezeOptions = RepairOptions;

/** Refuses an account's withdrawals, or lets them again (CUS-4). */
export async function runFreezeCommand(
  text: string,
  frozen: boolean,
  { reason, ...options }: FreezeOptions,
): Promise<void> {
  const address = addressOf('the address', text);
  await allowLiveMoney(publicClient(options), options, {
    question: frozen ? 'Refuse its withdrawals' : 'Let its withdrawals again',
    cost: async () => [`of the account ${address}`],
  });
  await sendForOperator({ what: 'it was done', look: 'venue operator audit' }, () =>
    custody(options).freezeWithdrawals({ address, frozen, reason }),
  );
  show(options, { address, frozen }, () => [
    frozen ? `withdrawals of ${address} are refused` : `withdrawals of ${address} are let again`,
  ]);
}

export interface DoubtOptions extends RepairOptions {
  readonly tx: string;
  readonly logIndex: number;
}

/** Holds a doubtful deposit, or takes back one that is held (CUS-4). */
export async function runDoubtCommand(
  what: 'hold' | 'reverse',
  { reason, tx: txHash, logIndex, ...options }: DoubtOptions,
): Promise<void> {
  const calls = custody(options);
  await allowLiveMoney(publicClient(options), options, {
    question: what === 'hold' ? 'Hold it' : 'Reverse it',
    isFinal: what === 'reverse',
    cost: async () => {
      for await (const row of calls.deposits())
        if (row.txHash === txHash && row.logIndex === logIndex)
          return [`the deposit of ${exactUsd(microsToDecimal(toMicros(row.amount)))} by ${row.address}`];
      return ['the ledger does not know this deposit'];
    },
  });
  const request = { txHash, logIndex, reason };
  const { amountUsd, account } = await sendForOperator(
    { what: 'it was done', look: 'venue operator held' },
    () => (what === 'hold' ? calls.holdDeposit(request) : calls.reverseDeposit(request)),
  );
  show(options, { amountUsd, account }, () => [
    `${what === 'hold' ? 'held' : 'took back'} ${exactUsd(amountUsd)} of ${account.address}; its cash is ${exactUsd(account.cash)}`,
  ]);
}

function custody(options: CommonOptions): CustodyCalls {
  return publicClient(options).custody(operatorToken(environment()));
}

function addressOf(what: string, text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw usageError(`${what} must be 0x and 40 hex digits, not "${text}"`);
  return address;
}
