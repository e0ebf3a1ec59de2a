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
    contract: {
      id: 'withdraw',
      tag: 'Custody',
      summary: 'Ask for cash to be paid out to the own wallet',
      text: 'Takes dollars, exact to a millionth, out of the account at once and asks for their payout to the account’s own wallet. The gate is buying power less what was asked for before; at most 16 may be outstanding (PAY-2, SIG-3).',
      errors: ['amountNotPositive', 'tooManyWithdrawals', 'accountFrozen'],
    },
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
    contract: {
      id: 'withdrawal',
      tag: 'Custody',
      summary: 'One withdrawal of the account',
      text: '`committed` means that the wallet may claim it from the vault, by `txHash`. Somebody else’s looks like one that does not exist (PAY-1).',
      errors: ['unknownWithdrawal'],
    },
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
    contract: {
      id: 'withdrawals',
      tag: 'Custody',
      summary: 'The newest 500 withdrawals of the account, newest first',
      text: 'The account’s own, newest first (PAY-1).',
    },
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
    contract: {
      id: 'reserves',
      tag: 'Custody',
      summary: 'What the venue owes its traders, to be held against the vault',
      text: 'In dollars. `cashTotalUsd + pendingWithdrawalsUsd` may not exceed what the vault holds less what it has committed; held deposits count as owed (RES-1). The market maker’s account is not in it (HOUSE-1); `houseCashUsd` is the cash of house, maker and fees. Less than `uncollectibleUsd`, they have lost more than they were funded with, and a checker lets gains be paid only once a person has looked (CUS-18). All of it is the exchange’s word: nothing in it is signed.',
    },
    handle: () => reservesView(state),
  });
}
