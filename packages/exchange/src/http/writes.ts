/**
 * Identifies the author of a trading write: a session key by its signature or, while that is optional, the holder of
 * a token.
 */

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
  const fields = signingFieldsOf(request.body);
  if (fields === null) {
    if (services.signingRequired) refuse('mustBeSigned');
    return { account: bearerOf(services.tokens, request.headers) };
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

/** A schema without the signing fields, which have their own order of checks and messages (AUTH-3). */
export function unsignedPart(schema: TObject): TObject {
  const { sessionKey: _, nonce: __, signature: ___, ...rest } = schema.properties;
  return Type.Object(rest);
}
