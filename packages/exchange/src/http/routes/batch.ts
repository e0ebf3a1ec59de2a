/** Many actions under one signature (BAT-1 to BAT-3). */

import type { IncomingHttpHeaders } from 'node:http';
import type { BatchDone, State } from '@venue/engine';
import { batchEnvelope } from '@venue/protocol';
import { BatchAnswerSchema, BatchRequestSchema } from '@venue/protocol/wire';
import { guardedAccountView } from '../../views/account.ts';
import { actionResultView } from '../../views/batch.ts';
import { arrivalOf, merged } from '../batch-arrival.ts';
import { refuse } from '../errors.ts';
import { actionsOf } from '../read-batch.ts';
import { Content, JSON_TYPE, type Route, route } from '../route.ts';
import { accountOf, type Services, submit } from '../services.ts';
import { callerOf } from '../writes.ts';

export function batchRoutes(services: Services): Route[] {
  return [batch(services)];
}

function batch(services: Services): Route {
  const { state } = services;
  return route({
    method: 'POST',
    path: '/v1/batch',
    access: 'signed',
    body: BatchRequestSchema,
    readsBody: true,
    answer: BatchAnswerSchema,
    contract: {
      id: 'batch',
      tag: 'Trading',
      summary: 'Place, amend and cancel orders, up to 64 actions under one signature',
      text: 'Up to 64 actions under one signature, carried out in order as one entry of the log, each on the state that the one before left. A declined action changes nothing and stops no other: look at each of the `results`. The signed text has a line for each action, with defaults written out and amounts in micros, and the id of `GET /v1/venue` (BAT-1). One malformed action refuses the whole batch, and nothing happens; its fault is named as in `actions[2].qty malformed`. With `prefer: return=minimal` the answer has no `account`. After a lost answer send the same bytes again while the nonce is in its window: they count once. `nonce already used` says that they never will be carried out (again), not that they were, as another program with the same key may have used it: look orders up by `clientId`, and everything else by what the account shows (CID-1).',
      errors: ['tooManyActions', 'notYetUpgraded'],
    },
    handle: async (request) => {
      const actions = actionsOf(request.body);
      // The first entry of a log brings the id.
      const { venue } = state;
      if (venue === null) refuse('notYetUpgraded');
      const caller = await callerOf(services, request, (fields) =>
        batchEnvelope({ ...fields, venue, actions }),
      );
      const answer = wantsMinimal(request.headers) ? minimalAnswer : fullAnswer;
      // What a signature covers stays as it is, without which no auditor could check it.
      if (caller.authorization !== undefined)
        return submit(services, { kind: 'batch', ...caller, actions }, (outcome) => answer(state, outcome));
      const account = accountOf(services, caller.account);
      const arrived = arrivalOf(state, account, actions, services.now());
      const { written } = arrived;
      if (written.length === 0 && actions.length > 0)
        return answer(state, { account, results: merged(arrived, []) });
      return submit(services, { kind: 'batch', ...caller, actions: written }, ({ results, account }) =>
        answer(state, { account, results: merged(arrived, results) }),
      );
    },
  });
}

const RETURN_MINIMAL = /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i;

/** True if the client does without the account, which most of an answer consists of (RFC 7240). */
function wantsMinimal({ prefer }: IncomingHttpHeaders): boolean {
  return prefer !== undefined && RETURN_MINIMAL.test(prefer.toString());
}

function fullAnswer(state: State, { results, account }: BatchDone): unknown {
  return { results: results.map(actionResultView), account: guardedAccountView(state, account) };
}

const MINIMAL_APPLIED = { 'preference-applied': 'return=minimal' } as const;

function minimalAnswer(_state: State, { results }: BatchDone): Content {
  return new Content(JSON_TYPE, JSON.stringify({ results: results.map(actionResultView) }), MINIMAL_APPLIED);
}
