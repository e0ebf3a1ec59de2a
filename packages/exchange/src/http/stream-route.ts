/** `GET /ws`: the upgrade to the stream (WS-1). */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountOf, type Services } from '../services.ts';
import type { Holder } from '../stream/client.ts';
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
      holderOf(services, request);
    },
    handler: () => refuse('notFound'),
    wsHandler: (socket, request) => {
      hub.add({ socket, connection: request.socket, holder: holderOf(services, request) });
    },
  });
}

function holderOf(services: Pick<Services, 'tokens' | 'state'>, request: FastifyRequest): Holder | null {
  const { token } = request.query as Record<string, unknown>;
  if (token === undefined) return null;
  const holder = typeof token === 'string' ? services.tokens.holderOf(token) : null;
  if (holder === null) refuse('unknownToken');
  return { account: accountOf(services, holder.address), expiresAtMs: holder.expiresAtMs };
}
