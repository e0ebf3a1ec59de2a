/** Checks what a venue shows while deadlines pass: a guard that fires in between changes the log as well (DUE-1). */

import { setTimeout as sleep } from 'node:timers/promises';
import { wrongAccounts } from './accounts.ts';
import { GUARD_MS_MAX } from './actions.ts';
import type { Evidence } from './evidence.ts';
import { wrongOrders } from './orders.ts';
import type { Trader } from './trader.ts';

export interface ShownOptions {
  readonly url: string;
  readonly traders: readonly Trader[];
  readonly evidence: Evidence;
}

/** A venue that is busy carries out its deadlines late. */
const PATIENCE_MS = 3 * GUARD_MS_MAX;
const RETRY_MS = 100;

/** Accounts and orders that are shown other than the log has them, in sentences. */
export async function wrongShown(options: ShownOptions): Promise<string[]> {
  return lasting(options.evidence, async () => [
    ...(await wrongAccounts({ ...options, state: options.evidence.state })),
    ...(await wrongOrders(options)),
  ]);
}

/** As `wrongShown`, for nodes without a history. */
export async function wrongAccountsShown({ url, traders, evidence }: ShownOptions): Promise<string[]> {
  return lasting(evidence, () => wrongAccounts({ url, traders, state: evidence.state }));
}

/** Differences that are still there after the last deadline. */
async function lasting(evidence: Evidence, differences: () => Promise<string[]>): Promise<string[]> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    await evidence.catchUp();
    const faults = await differences();
    if (faults.length === 0 || performance.now() > untilMs) return faults;
    await sleep(RETRY_MS);
  }
}
