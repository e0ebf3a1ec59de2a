/** `venue operator audit` and `clock`: the audit of settlements by hand, and a clock that has jumped. */

import { verifyAudit } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { environment } from '../base/config.ts';
import { type CommonOptions, publicClient } from '../connection/connection.ts';
import { operatorToken } from '../connection/operator-config.ts';
import { sendForOperator } from '../connection/operator-outcome.ts';
import { show, write } from '../terminal/output.ts';
import { progressCount } from '../terminal/progress-count.ts';
import { auditEntryText } from './audit-text.ts';

/** Accepts the time of a node whose clock has jumped (CLOCK-1). */
export async function runClockCommand(options: CommonOptions): Promise<void> {
  const client = publicClient(options);
  const token = operatorToken(environment());
  const what = { what: 'the time was accepted', look: 'curl $VENUE_URL/readyz' };
  const answer = await sendForOperator(what, () => client.operator.acceptClock(token));
  show(options, answer, () => ['the node takes the time of its clock for right']);
}

export interface AuditOptions extends CommonOptions {
  readonly verify?: true;
  readonly head?: string;
}

/** Prints the audit, or checks its chain of hashes (PAY-3). */
export async function runAuditCommand(options: AuditOptions): Promise<void> {
  const entries = publicClient(options).operator.audit(operatorToken(environment()));
  if (options.verify !== undefined || options.head !== undefined) return verify(entries, options);
  if (options.json) return show(options, await Array.fromAsync(entries), () => []);
  for await (const entry of entries) write(`${auditEntryText(entry)}\n`);
}

async function verify(entries: Parameters<typeof verifyAudit>[0], options: AuditOptions): Promise<void> {
  const { head } = options;
  const verdict = await verifyAudit(progressCount('audit', 'entries', entries), head ?? null);
  if ('fault' in verdict) throw new CommandError(`audit: ${verdict.fault}`);
  const { count, firstN } = verdict;
  if (verdict.hasNotedHead === false) {
    const older =
      firstN !== null && firstN > 1 ? `; it may be older than entry ${firstN}, the first that is served` : '';
    throw new CommandError(`audit: no entry has the hash ${head}${older}`);
  }
  const from = firstN === null || firstN === 1 ? '' : ` from ${firstN} on`;
  show(options, verdict, () => [`audit: ${count} entries${from}, chain intact, head ${verdict.head}`]);
}
