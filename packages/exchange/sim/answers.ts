/** Rebuilds from the replay the answer that a client should have received for an entry. */

import type { Command, OutcomeOf, State } from '@venue/engine';
import { belowSmallestPayout, insufficientWithdrawable, microsToDecimal } from '@venue/protocol';
import { accountView, guardedAccountView } from '../src/views/account.ts';
import { actionResultView } from '../src/views/batch.ts';
import { payoutView } from '../src/views/custody.ts';
import { PUSH_ROWS, printsKey, quotesKey, signedKey } from './traffic.ts';

export interface ExpectedAnswer {
  readonly status: number;
  readonly body: object;
}

/** A key shared by all entries of one request; null for commands that no client sends. */
export function keyOf(command: Command): string | null {
  switch (command.kind) {
    case 'order':
    case 'batch':
    case 'cancel':
    case 'cancel-order':
    case 'margin':
    case 'withdraw': {
      const { account, authorization } = command;
      return authorization ? signedKey(account, authorization.sessionKey, authorization.nonce) : null;
    }
    case 'approve':
    case 'revoke':
      return `${command.kind} ${command.signature}`;
    case 'prints':
      return printsKey(command.prints[0]!.priceMicros / 1_000_000);
    case 'deposit':
      return `deposit ${command.txHash}`;
    case 'quote-session':
      return `attempt ${command.attemptId}`;
    case 'quotes': {
      const iv = command.rows[0]?.iv;
      return iv === undefined ? null : quotesKey(iv);
    }
    default:
      return null;
  }
}

type Outcome<C extends Command> = Exclude<OutcomeOf<C['kind']>, { refusal: unknown }>;

/** The answer to an accepted command in the state right after it, without the bearer token. */
export function answerTo(state: State, command: Command, outcome: Outcome<Command>): ExpectedAnswer {
  switch (command.kind) {
    case 'order':
      return orderAnswer(state, outcome as OutcomeOf<'order'>);
    case 'batch': {
      const { account, results } = outcome as Outcome<typeof command>;
      return ok({ results: results.map(actionResultView), account: guardedAccountView(state, account) });
    }
    case 'cancel': {
      const { account, pulled } = outcome as Outcome<typeof command>;
      return ok({ ok: pulled > 0, pulled, account: accountView(state, account) });
    }
    case 'cancel-order': {
      const done = outcome as Outcome<typeof command>;
      return ok({ ok: done.ok, orderId: command.orderId, account: accountView(state, done.account) });
    }
    case 'margin': {
      const { account, marginEnabled } = outcome as Outcome<typeof command>;
      return ok({ ok: true, marginEnabled, account: accountView(state, account) });
    }
    case 'withdraw': {
      const done = outcome as Outcome<typeof command>;
      if ('needMicros' in done) return { status: 400, body: { error: insufficientWithdrawable(done).error } };
      if ('leastMicros' in done) return { status: 400, body: { error: belowSmallestPayout(done).error } };
      return ok({ ...payoutView(done.payout), account: accountView(state, done.payout.account) });
    }
    case 'approve': {
      const { account, session } = outcome as Outcome<typeof command>;
      const { sessionKey } = command;
      return ok({ ok: true, sessionKey, expiresAt: session.expiresAt, account: accountView(state, account) });
    }
    case 'revoke':
      return ok({ ok: true, ...(outcome as Outcome<typeof command>) });
    case 'deposit': {
      const { address, amountMicros: amount, txHash, logIndex } = command;
      return ok({ status: (outcome as Outcome<typeof command>).status, address, amount, txHash, logIndex });
    }
    case 'prints': {
      const { accepted, rowErrors } = outcome as Outcome<typeof command>;
      return ok({ ok: true, accepted, rejected: rowErrors.length, rowErrors });
    }
    case 'quote-session':
      return ok({ ...(outcome as Outcome<typeof command>), attemptId: command.attemptId });
    case 'quotes': {
      const { applied, kept, rowErrors, unknownSids } = outcome as Outcome<typeof command>;
      const unknown = unknownSids.length > 0 ? { unknownSids } : {};
      // Rows that already stood never left the node.
      const notSent = PUSH_ROWS - command.rows.length;
      return ok({ applied, kept: kept + notSent, errors: rowErrors.length, rowErrors, ...unknown });
    }
    default:
      throw new Error(`no client sends ${command.kind}`);
  }
}

function ok(body: object): ExpectedAnswer {
  return { status: 200, body };
}

function orderAnswer(state: State, outcome: OutcomeOf<'order'>): ExpectedAnswer {
  if ('refusal' in outcome) throw new Error('refused');
  const account = accountView(state, outcome.account);
  if (outcome.status === 'rejected') {
    const { status, reason } = outcome;
    return { status: 400, body: { status, reason, fills: [], orderId: 0, account } };
  }
  const { status, orderId, trades, restedMicros } = outcome;
  const fills = trades.map(({ priceMicros, qtyMicros }) => ({
    price: microsToDecimal(priceMicros),
    qty: microsToDecimal(qtyMicros),
  }));
  return ok({ status, orderId, fills, restedQty: microsToDecimal(restedMicros), account });
}
