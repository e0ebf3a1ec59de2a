/** The signing fields of an example's request: in its body, or in the headers of a push (QTS-1). */

import type { ExampleRequest } from '../../src/openapi/examples.ts';

const HEADERS = { sessionKey: 'x-session-key', nonce: 'x-nonce', signature: 'x-signature' } as const;
type SigningField = keyof typeof HEADERS;

export function signatureOf({ body, headers }: ExampleRequest): string {
  return headers?.[HEADERS.signature] ?? (body as { signature: string }).signature;
}

/** The request with another value of a signing field, or without it. */
export function withSigning(
  request: ExampleRequest,
  changes: Readonly<Partial<Record<SigningField, string | undefined>>>,
): ExampleRequest {
  const { body, headers } = request;
  if (headers?.[HEADERS.signature] === undefined)
    return { ...request, body: changed(body as object, changes) };
  const named = Object.entries(changes).map(([field, value]) => [HEADERS[field as SigningField], value]);
  return { ...request, headers: changed(headers, Object.fromEntries(named)) };
}

export function unsigned(request: ExampleRequest): ExampleRequest {
  return withSigning(request, { sessionKey: undefined, nonce: undefined, signature: undefined });
}

function changed<T extends object>(fields: T, changes: object): T {
  return Object.fromEntries(
    Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined),
  ) as T;
}
