/** `GET /ws`: the upgrade to the stream (WS-1). */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountOf, type Services } from '../services.ts';
import type { StreamHub } from '../stream/hub.ts';
import { refuse } from './errors.ts';

/** Adds the stream: with the token of an account its private frames too, with an unknown token 401. */
export function addStreamRoute(
  server: FastifyInstance,
  services: Pick<Services, 'tokens' | 'state'>,
  hub: StreamHub,
): void {
  server.route({
    method: 'GET',
    url: '/ws',
    onRequest: async (request) => {
      request.bearer = tokenHolder(services, request);
    },
    handler: () => refuse('notFound'),
    wsHandler: (socket, { bearer, socket: connection }) => {
      hub.add({ socket, connection, account: bearer === null ? null : accountOf(services, bearer) });
    },
  });
}

function tokenHolder(services: Pick<Services, 'tokens' | 'state'>, request: FastifyRequest) {
  const { token } = request.query as Record<string, unknown>;
  if (token === undefined) return null;
  const holder = typeof token === 'string' ? services.tokens.addressOf(token) : null;
  return accountOf(services, holder ?? refuse('unknownToken')).address;
}
