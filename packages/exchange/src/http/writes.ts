/**
 * Identifies the author of a trading write: a session key by its signature or, while that is optional, the holder of
 * a token.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { isRefused } from '@venue/engine';
import { type TObject, Type } from 'typebox';
import { type Authorized, authorize } from '../auth/signed-write.ts';
import { readSigningFields, type SigningFields } from '../auth/signing-fields.ts';
import { bearerOf } from './bearer.ts';
import { HttpError, refuse } from './errors.ts';
import type { RouteRequest } from './route.ts';
import type { Services } from './services.ts';
import type { EnvelopeText } from './texts.ts';

/** The fields that start every command of an account: spread them into the command. */
export type Caller = Pick<Authorized, 'account'> & Partial<Authorized>;

/**
 * The caller of a write, or the contract's refusal. Partial signing fields never count as an unsigned request
 * (AUTH-3), and a token beside a signature is ignored.
 */
export async function callerOf(
  services: Services,
  request: RouteRequest<unknown, object>,
  text: EnvelopeText,
): Promise<Caller> {
  return callerBy(services, request.headers, { fields: signingFieldsOf(request.body), text });
}

/** The same, by signing fields that are read already; null for none. */
export async function callerBy(
  services: Services,
  headers: IncomingHttpHeaders,
  { fields, text }: { readonly fields: SigningFields | null; readonly text: EnvelopeText },
): Promise<Caller> {
  if (fields === null) {
    if (services.signingRequired) refuse('mustBeSigned');
    return { account: bearerOf(services.tokens, headers) };
  }
  const authorized = await authorize(services, { fields, text });
  return isRefused(authorized) ? refuse(authorized.refusal) : authorized;
}

/** The signing fields of a body, or null if it has none of them. */
export function signingFieldsOf(body: object): SigningFields | null {
  const read = readSigningFields(body as Record<string, unknown>);
  if (read.kind === 'refused') throw new HttpError(read.error);
  return read.kind === 'signed' ? read.fields : null;
}

const NONCE = /^(?:0|[1-9]\d{0,15})$/;

/** The signing fields of a request whose body's bytes are signed (QTS-1), or null if it has none of them. */
export function signingHeadersOf({
  'x-session-key': sessionKey,
  'x-nonce': nonce,
  'x-signature': signature,
}: IncomingHttpHeaders): SigningFields | null {
  const number = NONCE.test(String(nonce)) ? Number(nonce) : null;
  return signingFieldsOf({ sessionKey, nonce: nonce === undefined ? nonce : number, signature });
}

/** A schema without the signing fields, which have their own order of checks and messages (AUTH-3). */
export function unsignedPart(schema: TObject): TObject {
  const { sessionKey: _, nonce: __, signature: ___, ...rest } = schema.properties;
  return Type.Object(rest);
}
