/** Admits or refuses a request by its headers alone. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Address } from '@venue/protocol';
import { bearerOf } from './bearer.ts';
import { HttpError, refuse } from './errors.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Returns the owner of the token of a `bearer` request, or null. Throws if the caller may not use the route. */
export function admit(
  services: Pick<Services, 'tokens' | 'credentials' | 'signingRequired'>,
  { access, role, refusal }: Route,
  request: IncomingMessage,
): Address | null {
  if (refusal !== undefined) throw new HttpError(refusal);
  const { headers } = request;
  switch (access) {
    case 'local':
      return isLocal(request) || services.credentials.mayReadMetrics(headers)
        ? null
        : refuse('wrongCredential');
    case 'public':
    case 'signed':
    case 'attempt':
      return null;
    case 'bearer':
      return bearerOf(services.tokens, headers);
    case 'feed':
    case 'maker':
    case 'deposit':
    case 'payout':
    case 'attest':
      return services.credentials.holds(access, headers) ? null : refuse('wrongCredential');
    case 'operator':
      return admitOperator(services, role, headers);
    case 'payout-or-operator':
      return services.credentials.holds('payout', headers) ? null : admitOperator(services, role, headers);
    case 'deposit-or-operator':
      return services.credentials.holds('deposit', headers) ? null : admitOperator(services, role, headers);
    case 'unsigned-maker':
      if (services.signingRequired) refuse('mustBeSigned');
      return services.credentials.holds('maker', headers) ? null : refuse('wrongCredential');
    default:
      return access satisfies never;
  }
}

/** A route without a role is closed to everybody who has a name. */
function admitOperator(
  { credentials }: Pick<Services, 'credentials'>,
  role: Route['role'],
  headers: IncomingHttpHeaders,
): null {
  const caller = credentials.operatorOf(headers) ?? refuse('wrongCredential');
  return role === 'read' || (role !== undefined && caller.roles.has(role)) ? null : refuse('wrongRole');
}

/** A proxy on this machine names the client it asks for. */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}
