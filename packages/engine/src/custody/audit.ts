/** Records what operators did to the ledger in the chained audit (CUS-4). */

import { MESSAGES } from '@venue/protocol';
import type { OperatorCommand, OverstepCommand } from '../entry/custody-command.ts';
import { isRefused, type OutcomeOf } from '../entry/outcome.ts';
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

/** Audits what an operator's roles do not allow, on paper too: it is refused, and stands beside what they did (OPS-2). */
export function noteOverstep(state: State, command: OverstepCommand): OutcomeOf<'overstep'> {
  const outcome = { refusal: 'wrongRole' } as const;
  auditAction(state, command, outcome);
  return outcome;
}

function reasonOf(outcome: object): string | null {
  if (isRefused(outcome)) return MESSAGES[outcome.refusal].error;
  return 'needMicros' in outcome ? 'the account can no longer spare it' : null;
}
