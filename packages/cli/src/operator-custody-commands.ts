/** `venue operator held`, `release`, `payouts` and `commit`: money that waits for an operator, and what is paid out. */

import { type Held, type Payout, parseAddress } from '@venue/protocol';
import { type CustodyCalls, VenueClient } from '@venue/sdk';
import { environment } from './config.ts';
import { operatorToken, venueUrl } from './operator-config.ts';
import { OperatorError } from './operator-error.ts';

/** Lists the addresses whose deposits are held (DEP-2). */
export async function runHeldCommand(): Promise<void> {
  const held = await custody().held();
  if (held.length === 0) console.log('nothing is held');
  for (const row of held) console.log(heldText(row));
}

function heldText({ address, amountUsd, deposits }: Held): string {
  return `${address}  ${usd(amountUsd)} USD in ${deposits} deposit${deposits === 1 ? '' : 's'}`;
}

/** Releases what is held for an address (DEP-2). */
export async function runReleaseCommand(text: string): Promise<void> {
  const of = parseAddress(text);
  if (of === undefined) throw new OperatorError(`the address must be 0x and 40 hex digits, not "${text}"`);
  const { released, account } = await custody().release(of);
  console.log(`released ${usd(released)} USD to ${account.address}; its cash is ${usd(account.cash)} USD`);
}

export interface PayoutsOptions {
  readonly state?: Payout['state'];
}

/** Lists withdrawals, oldest first (PAY-3). */
export async function runPayoutsCommand({ state }: PayoutsOptions): Promise<void> {
  // Whoever reads may have seen enough.
  process.stdout.on('error', () => process.exit(0));
  let count = 0;
  for await (const payout of custody().payouts(state === undefined ? {} : { state })) {
    count += 1;
    console.log(payoutText(payout));
  }
  if (count === 0) console.log('no payouts');
}

export interface CommitOptions {
  readonly ids: string;
  readonly tx: string;
}

/** Notes payouts that were committed by hand, all or none (PAY-3). */
export async function runCommitCommand({ ids: text, tx: txHash }: CommitOptions): Promise<void> {
  const ids = await payoutIds(text);
  const { payouts } = await custody().commitPayouts({ ids, txHash });
  for (const payout of payouts) console.log(payoutText(payout));
}

function payoutText({ id, requestedAt, address, amountUsd, state, txHash }: Payout): string {
  const where = txHash === undefined ? '' : ` in ${txHash}`;
  return `${id}  ${new Date(requestedAt).toISOString()}  ${address}  ${usd(amountUsd)} USD  ${state}${where}`;
}

/** All six places: this is money to be compared with a chain. */
function usd(amount: number): string {
  return amount.toFixed(6);
}

function custody(): CustodyCalls {
  const env = environment();
  return new VenueClient({ url: venueUrl(env) }).custody(operatorToken(env));
}

async function payoutIds(text: string): Promise<number[]> {
  // The limit is the batcher's, and its package is a heavy one: no other command here waits for it.
  const { NOTED_AT_ONCE_MAX } = await import('@venue/vault');
  const ids = text.split(',').map((id) => (/^\d{1,15}$/.test(id.trim()) ? Number(id) : 0));
  if (ids.includes(0) || ids.length > NOTED_AT_ONCE_MAX)
    throw new OperatorError(
      `--ids must be up to ${NOTED_AT_ONCE_MAX} payout numbers with commas between, like 17,18`,
    );
  return ids;
}
