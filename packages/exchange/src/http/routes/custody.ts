/** Withdrawals of traders, and the reserves that anyone may check. Absent in paper mode (FINE-3). */

import type { OutcomeOf, Refused } from '@venue/engine';
import { belowSmallestPayout, decimalToMicros, insufficientWithdrawable } from '@venue/protocol';
import {
  PayoutSchema,
  ReservesSchema,
  WithdrawAnswerSchema,
  WithdrawalListSchema,
  WithdrawRequestSchema,
} from '@venue/protocol/wire';
import { accountView } from '../../views/account.ts';
import { payoutView, reservesView, withdrawalsView } from '../../views/custody.ts';
import { HttpError, refuse } from '../errors.ts';
import { KIB, type Route, route } from '../route.ts';
import { accountOf, type Services, submit } from '../services.ts';
import { withdrawText } from '../texts.ts';
import { callerOf } from '../writes.ts';

export function custodyRoutes(services: Services): Route[] {
  return [withdraw(services), withdrawal(services), withdrawals(services), reserves(services)];
}

function withdraw(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/withdraw',
    access: 'signed',
    modes: ['deposits'],
    bodyLimitBytes: 4 * KIB,
    body: WithdrawRequestSchema,
    answer: WithdrawAnswerSchema,
    contract: { summary: 'Ask for cash to be paid out to the own wallet' },
    handle: async (request) => {
      const { amountUsd } = request.body;
      const amountMicros = decimalToMicros(amountUsd) ?? refuse('amountNotPositive');
      const caller = await callerOf(services, request, withdrawText(request.body));
      return submit(services, { kind: 'withdraw', ...caller, amountMicros }, (outcome) =>
        withdrawAnswer(services, outcome),
      );
    },
  });
}

function withdrawAnswer({ state }: Services, outcome: Exclude<OutcomeOf<'withdraw'>, Refused>) {
  if ('needMicros' in outcome) throw new HttpError(insufficientWithdrawable(outcome));
  if ('leastMicros' in outcome) throw new HttpError(belowSmallestPayout(outcome));
  const { payout } = outcome;
  return { ...payoutView(payout), account: accountView(state, payout.account) };
}

/** Another account's withdrawal looks like one that does not exist (PAY-1). */
function withdrawal(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/withdraw/{id}',
    access: 'bearer',
    modes: ['deposits'],
    answer: PayoutSchema,
    contract: { summary: 'One withdrawal of the account' },
    handle: ({ bearer, params }) => {
      const account = accountOf(services, bearer!);
      const payout = account.payouts.find(({ id }) => String(id) === params.get('id'));
      return payout === undefined ? refuse('unknownWithdrawal') : payoutView(payout);
    },
  });
}

function withdrawals(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/withdrawals',
    access: 'bearer',
    modes: ['deposits'],
    answer: WithdrawalListSchema,
    contract: { summary: 'The newest 500 withdrawals of the account, newest first' },
    handle: ({ bearer }) => ({ withdrawals: withdrawalsView(accountOf(services, bearer!)) }),
  });
}

function reserves({ state }: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/reserves',
    access: 'public',
    modes: ['deposits'],
    answer: ReservesSchema,
    contract: { summary: 'What the venue owes its traders, to be held against the vault' },
    handle: () => reservesView(state),
  });
}
