/** Approvals and revocations by contract wallets, which wait until the chain was asked about them (CUS-19). */

import { type Static, Type } from 'typebox';
import { AddressText, nullable, TxHashText, text, unixMs, VenueCodeText } from './primitives.ts';

const ContractSignatureText = Type.String({
  pattern: '^0x([0-9a-fA-F]{2}){0,4096}$',
  description:
    "What the contract's isValidSignature accepts for the EIP-191 hash of the text, at most 4 KiB in hex; of a contract that is not deployed yet, wrapped as ERC-6492 says",
});

/** Body of `POST /v1/auth/session/contract`: a contract wallet approves a session key. */
export const ContractSessionRequestSchema = Type.Object({
  address: AddressText,
  sessionKey: AddressText,
  expiresAt: unixMs('End of the session, at most 30 days ahead'),
  signature: ContractSignatureText,
});
export type ContractSessionRequest = Static<typeof ContractSessionRequestSchema>;

/** Body of `POST /v1/auth/session/contract/revoke`. */
export const ContractRevokeRequestSchema = Type.Object({
  address: AddressText,
  sessionKey: AddressText,
  signature: ContractSignatureText,
});
export type ContractRevokeRequest = Static<typeof ContractRevokeRequestSchema>;

/** A block of the chain at which all servers that were asked agreed. */
export const AttestationSchema = Type.Object(
  {
    chainId: Type.Integer({ minimum: 1, description: 'EIP-155 number of the chain' }),
    blockNumber: Type.Integer({ minimum: 0, description: 'Number of the block' }),
    blockHash: TxHashText,
  },
  { description: 'The block at which the contract was asked' },
);
export type Attestation = Static<typeof AttestationSchema>;

const Act = Type.Union([Type.Literal('approve'), Type.Literal('revoke')]);
const ParkedId = Type.Integer({ minimum: 1, description: 'Names the parked approval' });

/** Answer of both posts, and of `GET /v1/auth/session/contract`. */
export const ParkedSessionSchema = Type.Object({
  id: ParkedId,
  act: Act,
  address: AddressText,
  sessionKey: AddressText,
  expiresAt: unixMs('End of the session'),
  state: Type.Union([
    Type.Literal('parked'),
    Type.Literal('approved'),
    Type.Literal('refused'),
    Type.Literal('lapsed'),
  ]),
  reason: nullable(text('Why it was refused')),
  code: nullable(VenueCodeText),
  lapsesAt: unixMs('From then on nobody answers it'),
  attestation: nullable(AttestationSchema),
});
export type ParkedSession = Static<typeof ParkedSessionSchema>;

/** Query of `GET /v1/auth/session/contract`. */
export const ParkedQuerySchema = Type.Object({
  id: Type.String({ pattern: '^[1-9][0-9]{0,15}$', description: 'Names the parked approval' }),
});

/** An approval that waits, as the attestor sees it. */
export const ParkedRowSchema = Type.Object({
  id: ParkedId,
  act: Act,
  address: AddressText,
  sessionKey: AddressText,
  expiresAt: unixMs('End of the session'),
  signature: ContractSignatureText,
  lapsesAt: unixMs('From then on nobody answers it'),
});
export type ParkedRow = Static<typeof ParkedRowSchema>;

/** Answer of `GET /v1/operator/parked`. */
export const ParkedListSchema = Type.Object({ parked: Type.Array(ParkedRowSchema, { maxItems: 1000 }) });
export type ParkedList = Static<typeof ParkedListSchema>;

/** Body of `POST /v1/operator/parked/attest`: what all servers of the chain answered alike. */
export const AttestRequestSchema = Type.Object({
  id: ParkedId,
  verdict: Type.Union([
    Type.Literal('valid'),
    Type.Literal('no-contract'),
    Type.Literal('invalid'),
    Type.Literal('failed'),
  ]),
  ...AttestationSchema.properties,
});
export type AttestRequest = Static<typeof AttestRequestSchema>;
