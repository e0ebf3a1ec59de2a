/** `venue operator held`, `release`, `payouts` and `commit`: deposits that wait for an operator, and payouts. */

import { type Held, type OperatorPayout, type Payout, parseAddress } from '@venue/protocol';
import type { CustodyCalls } from '@venue/sdk';
import { CommandError, usageError } from '../base/command-error.ts';
import { environment } from '../base/config.ts';
import { type CommonOptions, publicClient } from '../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../connection/live-money.ts';
import { operatorToken, payoutToken } from '../connection/operator-config.ts';
import { sendForOperator } from '../connection/operator-outcome.ts';
import { exactUsd, PAYOUT_COLUMNS, payoutsText } from '../connection/payout-text.ts';
import { show } from '../terminal/output.ts';
import { progressCount } from '../terminal/progress-count.ts';
import { type Column, type Page, table } from '../terminal/table.ts';

const HELD_COLUMNS: readonly Column<Held>[] = [
  { title: 'address', cell: ({ address }) => address, rank: 0, shortest: 13 },
  { title: 'amount USD', cell: ({ amountUsd }) => amountUsd, places: [6, 6], rank: 0 },
  { title: 'deposits', cell: ({ deposits }) => deposits, places: [0, 0], rank: 1 },
];

/** Lists the addresses whose deposits are held (DEP-2). */
export async function runHeldCommand(options: CommonOptions): Promise<void> {
  const held = await custody(options).held();
  show(options, held, (page) => (held.length === 0 ? ['nothing is held'] : table(HELD_COLUMNS, held, page)));
}

/** Releases the deposits held for an address (DEP-2). */
export async function runReleaseCommand(
  text: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const of = parseAddress(text);
  if (of === undefined) throw usageError(`the address must be 0x and 40 hex digits, not "${text}"`);
  const calls = custody(options);
  await allowLiveMoney(publicClient(options), options, {
    question: 'Release it',
    isFinal: true,
    cost: async () => {
      const row = (await calls.held()).find(({ address }) => address === of);
      return [row === undefined ? `nothing is held for ${of}` : `${exactUsd(row.amountUsd)} for ${of}`];
    },
  });
  const answer = await sendForOperator({ what: 'it was released', look: 'venue operator held' }, () =>
    calls.release(of),
  );
  const { released, account } = answer;
  show(options, answer, () => [
    `released ${exactUsd(released)} to ${account.address}; its cash is ${exactUsd(account.cash)}`,
  ]);
}

export interface PayoutsOptions extends CommonOptions {
  readonly state?: Payout['state'];
}

/** Lists withdrawals, oldest first (PAY-3). */
export async function runPayoutsCommand(options: PayoutsOptions): Promise<void> {
  const { state } = options;
  const pages = custody(options).payouts(state === undefined ? {} : { state });
  const payouts = await Array.fromAsync(progressCount('payouts', 'so far', pages));
  show(options, payouts, (page) => operatorPayoutsText(payouts, page));
}

const WAITS_COLUMN: Column<OperatorPayout> = { title: 'waits', cell: ({ waits }) => waits ?? '', rank: 1 };

/** The reasons stand in the table only where a payout waits for something. */
function operatorPayoutsText(payouts: readonly OperatorPayout[], page: Page): string[] {
  if (payouts.every(({ waits }) => waits === null)) return payoutsText(payouts, page);
  return table([...PAYOUT_COLUMNS, WAITS_COLUMN], payouts, page);
}

export interface ApprovePayoutOptions extends CommonOptions, LiveMoneyOptions {
  readonly id: number;
}

/** Signs for a payout that the batcher's limits hold back (CUS-16). */
export async function runApprovePayoutCommand(options: ApprovePayoutOptions): Promise<void> {
  const { id } = options;
  const { approvePayout, loadApproverConfig } = await import('@venue/vault');
  const config = loadApproverConfig(environment());
  const calls = custody(options);
  const payout = await requestedPayout(calls, id);
  await allowLiveMoney(publicClient(options), options, {
    question: 'Sign for it',
    cost: async () => [
      `payout ${id} of ${exactUsd(payout.amountUsd)} to ${payout.address}`,
      `from the vault ${config.vault} on chain ${config.chainId}`,
      payout.waits === null ? 'the batcher does not say that it waits' : `waits: ${payout.waits}`,
    ],
  });
  const signed = await approvePayout(config, payout);
  const answer = await sendForOperator({ what: 'it was approved', look: 'venue operator payouts' }, () =>
    calls.approve({ id, ...signed }),
  );
  show(options, answer, () => [`payout ${id} is approved by ${signed.approver}`]);
}

async function requestedPayout(calls: CustodyCalls, id: number): Promise<OperatorPayout> {
  for await (const payout of calls.payouts({ after: id - 1 })) {
    if (payout.id !== id) break;
    if (payout.state === 'requested') return payout;
    throw new CommandError(`payout ${id} is ${payout.state}: there is nothing to sign for`);
  }
  throw new CommandError(`there is no payout ${id}`);
}

export interface CommitOptions extends CommonOptions, LiveMoneyOptions {
  readonly ids: string;
  readonly tx: string;
}

/** Records payouts that were committed by hand, all or none (PAY-3). */
export async function runCommitCommand(options: CommitOptions): Promise<void> {
  const { ids: text, tx: txHash } = options;
  const ids = await payoutIds(text);
  const calls = publicClient(options).custody(payoutToken(environment()));
  await allowLiveMoney(publicClient(options), options, {
    question: 'Record them as committed',
    isFinal: true,
    cost: async () => [
      `payouts ${ids.join(', ')} as committed in ${txHash}; nothing here looks at the chain`,
    ],
  });
  const answer = await sendForOperator({ what: 'they were noted', look: 'venue operator payouts' }, () =>
    calls.commitPayouts({ ids, txHash }),
  );
  show(options, answer, (page) => payoutsText(answer.payouts, page));
}

function custody(options: CommonOptions): CustodyCalls {
  return publicClient(options).custody(operatorToken(environment()));
}

async function payoutIds(text: string): Promise<number[]> {
  // The limit is the batcher's, and its package is slow to load: no other command here waits for it.
  const { NOTED_AT_ONCE_MAX } = await import('@venue/vault');
  const ids = text.split(',').map((id) => (/^\d{1,15}$/.test(id.trim()) ? Number(id) : 0));
  if (ids.includes(0) || ids.length > NOTED_AT_ONCE_MAX)
    throw usageError(
      `--ids must be up to ${NOTED_AT_ONCE_MAX} payout numbers with commas between, like 17,18`,
    );
  return ids;
}
