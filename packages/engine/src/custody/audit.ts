/** Records what operators did to the ledger in the chained audit (CUS-4). */

import { MESSAGES } from '@venue/protocol';
import type { OperatorCommand } from '../entry/command.ts';
import { isRefused } from '../entry/outcome.ts';
import { recordAudit } from '../state/audit.ts';
import type { State } from '../state/state.ts';

/** Audits an operator's command with its terms, its outcome, accepted or refused, and who gave it (OPS-2). */
export function auditAction(state: State, command: OperatorCommand, outcome: object): void {
  const { kind, by, ...terms } = command;
  recordAudit(state, {
    ...(by !== undefined && { by }),
    ...{ action: kind, terms: JSON.stringify(terms), reason: reasonOf(outcome) },
  });
}

function reasonOf(outcome: object): string | null {
  if (isRefused(outcome)) return MESSAGES[outcome.refusal].error;
  return 'needMicros' in outcome ? 'the account can no longer spare it' : null;
}
