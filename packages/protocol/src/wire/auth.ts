/** Sign-in and session keys. */

import { type Static, Type } from 'typebox';
import { AccountSchema } from './account.ts';
import { AddressText, text, unixMs } from './primitives.ts';

/** Query of the routes that name a wallet. */
export const AddressQuerySchema = Type.Object({ address: AddressText });
export type AddressQuery = Static<typeof AddressQuerySchema>;

/** Answer of `GET /v1/auth/challenge`. */
export const ChallengeAnswerSchema = Type.Object({ message: text('Sign exactly these bytes') });
export type ChallengeAnswer = Static<typeof ChallengeAnswerSchema>;

/** Body of `POST /v1/auth/verify`. */
export const VerifyRequestSchema = Type.Object({
  address: AddressText,
  signature: text('65-byte signature of the challenge by the wallet, hex'),
});
export type VerifyRequest = Static<typeof VerifyRequestSchema>;

export const VerifyAnswerSchema = Type.Object({
  token: text('Bearer token for reads'),
  account: AccountSchema,
});
export type VerifyAnswer = Static<typeof VerifyAnswerSchema>;

/** Body of `POST /v1/auth/session`: the wallet approves a session key. */
export const SessionRequestSchema = Type.Object({
  address: AddressText,
  sessionKey: AddressText,
  expiresAt: unixMs('End of the session, at most 30 days ahead'),
  signature: text('65-byte signature of the approval by the wallet, hex'),
});
export type SessionRequest = Static<typeof SessionRequestSchema>;

export const SessionAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  sessionKey: AddressText,
  expiresAt: unixMs('End of the session'),
  token: text('Bearer token for reads'),
  account: AccountSchema,
});
export type SessionAnswer = Static<typeof SessionAnswerSchema>;

export const SessionRecordSchema = Type.Object({
  sessionKey: AddressText,
  expiresAt: unixMs('End of the session'),
  approvedAt: unixMs('Time of the approval'),
});
export type SessionRecord = Static<typeof SessionRecordSchema>;

/** Answer of `GET /v1/auth/session`. */
export const SessionListSchema = Type.Object({ sessions: Type.Array(SessionRecordSchema) });
export type SessionList = Static<typeof SessionListSchema>;

/** Body of `POST /v1/auth/session/revoke`; the signature of the approval itself is accepted as proof (KEY-3). */
export const SessionRevokeRequestSchema = Type.Object({
  address: AddressText,
  sessionKey: AddressText,
  signature: text('65-byte signature of the revocation by the wallet, hex'),
});
export type SessionRevokeRequest = Static<typeof SessionRevokeRequestSchema>;

export const SessionRevokeAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  sessionKey: AddressText,
  revokedAt: unixMs('Time of the first revocation'),
});
export type SessionRevokeAnswer = Static<typeof SessionRevokeAnswerSchema>;
