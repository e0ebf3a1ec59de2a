/** `venue operator settle` and `audit`: settlement by hand, and the audit of it. */

import { decimalToMicros, type HandSettleRequest } from '@venue/protocol';
import { VenueClient, verifyAudit } from '@venue/sdk';
import { auditEntryText, expiryText } from './audit-text.ts';
import { environment } from './config.ts';
import { operatorToken, settleTokens, venueUrl } from './operator-config.ts';
import { OperatorError } from './operator-error.ts';

export interface SettleOptions {
  readonly series?: string;
  readonly symbol?: string;
  readonly expiry?: number;
  readonly price: string;
}

/** Settles by hand, and says what (FINE-1). */
export async function runSettleCommand(options: SettleOptions): Promise<void> {
  const request = settleRequest(options);
  const env = environment();
  const tokens = settleTokens(env);
  const answer = await new VenueClient({ url: venueUrl(env) }).operator.settle(request, tokens);
  console.log(`settled ${expiryText(answer.symbol, answer.expiryTs)} at ${answer.price}`);
  for (const seriesId of answer.settled) console.log(`  ${seriesId}`);
}

function settleRequest({ series, symbol, expiry, price: text }: SettleOptions): HandSettleRequest {
  const price = priceOf(text);
  if (series !== undefined && symbol === undefined && expiry === undefined)
    return { seriesId: series, price };
  if (series === undefined && symbol !== undefined && expiry !== undefined) {
    return { symbol, expiryTs: expiry, price };
  }
  throw new OperatorError('settle takes either --series or --symbol with --expiry');
}

export interface AuditOptions {
  readonly verify?: true;
  readonly head?: string;
}

/** Prints the audit, or checks its chain of hashes (PAY-3). */
export async function runAuditCommand({ verify, head }: AuditOptions): Promise<void> {
  const env = environment();
  const entries = new VenueClient({ url: venueUrl(env) }).operator.audit(operatorToken(env));
  if (verify === undefined && head === undefined) {
    // Whoever reads may have seen enough.
    process.stdout.on('error', () => process.exit(0));
    for await (const entry of entries) console.log(auditEntryText(entry));
    return;
  }
  const verdict = await verifyAudit(entries, head ?? null);
  if ('fault' in verdict) throw new OperatorError(`audit: ${verdict.fault}`);
  const { count, firstN } = verdict;
  if (verdict.hasNotedHead === false) {
    const older =
      firstN !== null && firstN > 1 ? `; it may be older than entry ${firstN}, the first that is served` : '';
    throw new OperatorError(`audit: no entry has the hash ${head}${older}`);
  }
  const from = firstN === null || firstN === 1 ? '' : ` from ${firstN} on`;
  console.log(`audit: ${count} entries${from}, chain intact, head ${verdict.head}`);
}

function priceOf(text: string): number {
  const value = /^\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value === 0 || decimalToMicros(value) === undefined)
    throw new OperatorError(`--price must be a positive decimal, exact to a millionth, not "${text}"`);
  return value;
}
