/** Admits or refuses a request by its headers alone. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Address } from '@venue/protocol';
import { bearerOf } from '../http/bearer.ts';
import { HttpError, refuse } from '../http/errors.ts';
import type { Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Returns the owner of the token of a `bearer` request, or null. Throws if the caller may not use the route. */
export function admit(
  services: Pick<Services, 'tokens' | 'credentials' | 'signingRequired' | 'oversteps'>,
  route: Route,
  request: IncomingMessage,
): Address | null {
  const { access, refusal } = route;
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
      return admitOperator(services, route, headers);
    case 'payout-or-operator':
      return services.credentials.holds('payout', headers) ? null : admitOperator(services, route, headers);
    case 'deposit-or-operator':
      return services.credentials.holds('deposit', headers) ? null : admitOperator(services, route, headers);
    case 'unsigned-maker':
      if (services.signingRequired) refuse('mustBeSigned');
      return services.credentials.holds('maker', headers) ? null : refuse('wrongCredential');
    default:
      return access satisfies never;
  }
}

/** A route without a role is closed to everybody who has a name. */
function admitOperator(
  { credentials, oversteps }: Pick<Services, 'credentials' | 'oversteps'>,
  { method, path, role }: Route,
  headers: IncomingHttpHeaders,
): null {
  const caller = credentials.operatorOf(headers) ?? refuse('wrongCredential');
  if (role === 'read' || (role !== undefined && caller.roles.has(role))) return null;
  oversteps.note(caller.name, `${method} ${path}`);
  return refuse('wrongRole');
}

/** A proxy on this machine names the client it asks for. */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}
