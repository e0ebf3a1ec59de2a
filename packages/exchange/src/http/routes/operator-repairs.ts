/** The routes by which operators bind the ledger to a vault and put its books right (CUS-1, CUS-3, CUS-4). */

import type { Binding, Payout } from '@venue/engine';
import {
  type BindRequest,
  decimalToMicros,
  insufficientWithdrawable,
  type Micros,
  malformed,
  microsToDecimal,
} from '@venue/protocol';
import {
  AdoptRequestSchema,
  BindAnswerSchema,
  BindRequestSchema,
  DepositDoubtAnswerSchema,
  DepositDoubtRequestSchema,
  EpochAnswerSchema,
  EpochRequestSchema,
  FreezeAnswerSchema,
  FreezeRequestSchema,
  HaltAnswerSchema,
  HaltRequestSchema,
  LedgerDepositListSchema,
  LedgerDepositQuerySchema,
  PayoutAnswerSchema,
  PayoutApproveRequestSchema,
  PayoutWaitRequestSchema,
  VoidRequestSchema,
} from '@venue/protocol/wire';
import { accountView } from '../../views/account.ts';
import { ledgerDepositsView, operatorPayoutView } from '../../views/custody.ts';
import { type Asking, askingOf, submitByHand } from '../by-hand.ts';
import { HttpError } from '../errors.ts';
import { KIB, type Route, route } from '../route.ts';
import { type Services, submit } from '../services.ts';
import { addressField } from '../session-keys.ts';
import { exactInteger, lowerHex } from '../texts.ts';
import { compileCheck } from '../validate.ts';

/** Options shared by all routes of this file; some are for the batcher instead (CUS-9). */
const REPAIR_ROUTE = {
  access: 'operator',
  modes: ['deposits'],
  bodyLimitBytes: 16 * KIB,
  contract: { excluded: 'called by operators and their daemons alone, with a secret of theirs' },
} as const;

export function operatorRepairRoutes(services: Services): Route[] {
  return [
    bind(services),
    epoch(services),
    adopt(services),
    voidPayout(services),
    approve(services),
    wait(services),
    halt(services),
    freeze(services),
    ...doubts(services),
    deposits(services),
  ];
}

const checkBind = compileCheck('body', BindRequestSchema);

const NOBODY: Asking = { secrets: [false, false] };

/** Binds the ledger to a vault (CUS-1). Every attempt that can be read goes into the log, no matter who makes it. */
function bind(services: Services): Route {
  const { credentials } = services;
  return route({
    ...REPAIR_ROUTE,
    method: 'POST',
    path: '/v1/operator/vault',
    access: 'attempt',
    role: 'settle',
    answer: BindAnswerSchema,
    handle: ({ headers, body, bodyFault }) => {
      const fault = bodyFault ?? checkBind(body);
      if (fault !== null) throw new HttpError(fault);
      const request = body as BindRequest;
      // One secret asks, so a wrong one beside it must not pass for none.
      const isWrong = credentials.isWrong('settle1', headers) || credentials.isWrong('settle2', headers);
      const asking = isWrong ? NOBODY : askingOf(services, headers);
      return submit(services, { kind: 'bind', ...bindingOf(request), ...asking }, ({ binding, isBound }) => ({
        ok: true,
        bound: isBound,
        ...{ chainId: binding.chainId, vault: binding.vault, funder: binding.funder },
        paidBeforeUsd: microsToDecimal(binding.paidBeforeMicros),
        depositedBeforeUsd: microsToDecimal(binding.depositedBeforeMicros),
      }));
    },
  });
}

function bindingOf(request: BindRequest): Binding {
  return {
    chainId: exactInteger('chainId', request.chainId),
    vault: addressField('vault', request.vault),
    paidBeforeMicros: amountField('paidBeforeUsd', request.paidBeforeUsd),
    depositedBeforeMicros: amountField('depositedBeforeUsd', request.depositedBeforeUsd),
    funder: request.funder === null ? null : addressField('funder', request.funder),
  };
}

function epoch(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    method: 'POST',
    path: '/v1/operator/epoch',
    role: 'custody',
    body: EpochRequestSchema,
    answer: EpochAnswerSchema,
    handle: ({ headers, body }) =>
      submitByHand(
        services,
        headers,
        { kind: 'epoch', epoch: exactInteger('epoch', body.epoch), reason: body.reason },
        (outcome) => ({ ok: true, epoch: outcome.epoch }),
      ),
  });
}

function adopt(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    method: 'POST',
    path: '/v1/operator/payouts/adopt',
    role: 'custody',
    body: AdoptRequestSchema,
    answer: PayoutAnswerSchema,
    handle: ({ headers, body }) => {
      const amountMicros = amountField('amountUsd', body.amountUsd);
      if (amountMicros === 0) throw new HttpError(malformed('amountUsd'));
      const command = {
        kind: 'adopt',
        payoutId: exactInteger('payoutId', body.payoutId),
        address: addressField('address', body.address),
        amountMicros,
        txHash: lowerHex(body.txHash),
        reason: body.reason,
      } as const;
      return submitByHand(services, headers, command, payoutAnswer);
    },
  });
}

function voidPayout(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    method: 'POST',
    path: '/v1/operator/payouts/void',
    role: 'custody',
    body: VoidRequestSchema,
    answer: PayoutAnswerSchema,
    handle: ({ headers, body: { id, reason } }) =>
      submitByHand(services, headers, { kind: 'void', id: exactInteger('id', id + 0), reason }, payoutAnswer),
  });
}

function approve(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    method: 'POST',
    path: '/v1/operator/payouts/approve',
    role: 'custody',
    body: PayoutApproveRequestSchema,
    answer: PayoutAnswerSchema,
    handle: ({ headers, body }) => {
      const command = {
        kind: 'approve-payout',
        id: exactInteger('id', body.id + 0),
        approver: addressField('approver', body.approver),
        signature: lowerHex(body.signature),
      } as const;
      return submitByHand(services, headers, command, payoutAnswer);
    },
  });
}

/** A report that says nothing new becomes no entry: the payer repeats it each round. */
function wait(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    access: 'payout',
    method: 'POST',
    path: '/v1/operator/payouts/wait',
    body: PayoutWaitRequestSchema,
    answer: PayoutAnswerSchema,
    handle: ({ body: { id, reason } }) => {
      const payout = services.state.custody.payouts[id - 1];
      if (payout?.waits === reason) return payoutAnswer({ payout });
      return submit(services, { kind: 'payout-wait', id: exactInteger('id', id + 0), reason }, payoutAnswer);
    },
  });
}

function halt(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    access: 'payout',
    method: 'POST',
    path: '/v1/operator/payouts/halt',
    body: HaltRequestSchema,
    answer: HaltAnswerSchema,
    handle: ({ body: { reason } }) => {
      if (services.state.custody.halted === reason) return { ok: true, payoutsHalted: reason };
      return submit(services, { kind: 'halt-payouts', reason }, ({ halted }) => ({
        ok: true,
        payoutsHalted: halted,
      }));
    },
  });
}

function freeze(services: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    method: 'POST',
    path: '/v1/operator/withdrawals/freeze',
    role: 'operate',
    body: FreezeRequestSchema,
    answer: FreezeAnswerSchema,
    handle: ({ headers, body: { address, frozen, reason } }) => {
      const command = {
        kind: 'freeze-withdrawals',
        address: addressField('address', address),
        frozen,
        reason,
      } as const;
      return submitByHand(services, headers, command, (outcome) => ({ ok: true, ...outcome }));
    },
  });
}

/** Holding a doubtful deposit, and taking back one that is held (CUS-4). */
function doubts(services: Services): Route[] {
  const kinds = { hold: 'hold-deposit', reverse: 'reverse-deposit' } as const;
  const roles = { hold: 'operate', reverse: 'custody' } as const;
  return (['hold', 'reverse'] as const).map((what) =>
    route({
      ...REPAIR_ROUTE,
      method: 'POST',
      path: `/v1/operator/deposits/${what}`,
      role: roles[what],
      body: DepositDoubtRequestSchema,
      answer: DepositDoubtAnswerSchema,
      handle: ({ headers, body: { txHash, logIndex, reason } }) => {
        const log = { txHash: lowerHex(txHash), logIndex: exactInteger('logIndex', logIndex + 0) };
        return submitByHand(services, headers, { kind: kinds[what], ...log, reason }, (outcome) => {
          if ('needMicros' in outcome) throw new HttpError(insufficientWithdrawable(outcome));
          const { account, amountMicros } = outcome;
          const amountUsd = microsToDecimal(amountMicros);
          return { ok: true, amountUsd, account: accountView(services.state, account) };
        });
      },
    }),
  );
}

function deposits({ state }: Services): Route {
  return route({
    ...REPAIR_ROUTE,
    method: 'GET',
    path: '/v1/operator/deposits',
    access: 'deposit-or-operator',
    role: 'read',
    query: LedgerDepositQuerySchema,
    answer: LedgerDepositListSchema,
    handle: ({ query }) => ({ deposits: ledgerDepositsView(state, Number(query.after ?? 0)) }),
  });
}

function payoutAnswer({ payout }: { readonly payout: Payout }) {
  return { ok: true as const, payout: operatorPayoutView(payout) };
}

/** Throws unless the amount is exact in micros and not below zero. */
function amountField(field: string, usd: number): Micros {
  const micros = decimalToMicros(usd);
  if (micros === undefined || micros < 0) throw new HttpError(malformed(field));
  return micros;
}
