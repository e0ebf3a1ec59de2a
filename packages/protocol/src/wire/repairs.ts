/** Messages of operators and their daemons to the ledger beyond deposits and commitments (CUS-1, CUS-3, CUS-4, CUS-7). */

import { type Static, Type } from 'typebox';
import { AccountSchema } from './account.ts';
import { AttestationSchema } from './contract-wallets.ts';
import { PayoutSchema } from './custody.ts';
import { AddressText, count, nullable, TxHashText, text, unixMs, usd } from './primitives.ts';

/** An operator's reason: one line, for the audit. */
const REASON = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\n\\r]*$',
  description: 'Why, in one line; it stands in the audit',
});
const SignatureText = Type.String({
  pattern: '^0x([0-9a-fA-F]{2}){1,4096}$',
  description: 'Signature, in hex',
});
/** A contract may sign with nothing (CUS-19). */
const WalletSignatureText = Type.String({
  pattern: '^0x([0-9a-fA-F]{2}){0,4096}$',
  description: 'Signature of the wallet, in hex',
});
const payoutNumber = Type.Integer({ minimum: 1, description: 'Number of the payout in the vault' });
const withdrawalId = Type.Integer({ description: 'Withdrawal id' });

/** A payout with everything that its payer needs to check it without believing the exchange (CUS-5). */
export const OperatorPayoutSchema = Type.Object({
  ...PayoutSchema.properties,
  payoutId: payoutNumber,
  ofHouse: Type.Boolean({ description: 'Whether it takes capital out of the house' }),
  adopted: Type.Boolean({ description: 'Whether an operator recorded it from the chain' }),
  withdrawal: nullable(
    Type.Object(
      {
        sessionKey: AddressText,
        nonce: Type.Integer({ description: 'Nonce of the signed withdrawal' }),
        signature: SignatureText,
      },
      { description: 'The withdrawal as it was signed; null for one that the ledger has no signature of' },
    ),
  ),
  approval: nullable(
    Type.Object(
      {
        expiresAt: unixMs('End of the session'),
        signature: WalletSignatureText,
        attestation: Type.Optional(AttestationSchema),
      },
      {
        description:
          "The wallet's approval of the session key; with an attestation it is a contract's, which no key recovers (CUS-19)",
      },
    ),
  ),
  revocation: nullable(
    Type.Object(
      {
        expiresAt: unixMs('End of the session, as the revocation names it'),
        signature: WalletSignatureText,
        attestation: Type.Optional(AttestationSchema),
        revokedAt: unixMs('When the ledger recorded it'),
      },
      { description: "The wallet's revocation of the session key; null while it stands" },
    ),
  ),
  approvals: Type.Array(Type.Object({ approver: AddressText, signature: SignatureText }), {
    description: 'Signatures of approvers; whether they may approve, the payer knows',
  }),
  waits: nullable(text('Why it waits, as its payer reported it')),
});
export type OperatorPayout = Static<typeof OperatorPayoutSchema>;

/** Answer of `GET /v1/operator/payouts`. */
export const PayoutListSchema = Type.Object({
  payouts: Type.Array(OperatorPayoutSchema, { maxItems: 1000 }),
});
export type PayoutList = Static<typeof PayoutListSchema>;

export const PayoutQuerySchema = Type.Object({
  state: Type.Optional(
    Type.Union([Type.Literal('requested'), Type.Literal('committed'), Type.Literal('voided')]),
  ),
  after: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: 'Id of the payout that the answer follows' }),
  ),
});
export type PayoutQuery = Static<typeof PayoutQuerySchema>;

/** Body of `POST /v1/operator/vault`, with one settlement secret in its header, or both (CUS-1). */
export const BindRequestSchema = Type.Object({
  chainId: Type.Integer({ minimum: 1, description: 'Chain of the vault' }),
  vault: AddressText,
  paidBeforeUsd: usd('What earlier vaults committed: 0, or all that the ledger has recorded'),
  depositedBeforeUsd: usd('What earlier vaults took in: 0, or all that the ledger has recorded'),
  funder: nullable(AddressText),
});
export type BindRequest = Static<typeof BindRequestSchema>;

export const BindAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  bound: Type.Boolean({ description: 'False until the second operator asks for the same' }),
  ...BindRequestSchema.properties,
});
export type BindAnswer = Static<typeof BindAnswerSchema>;

/** Body of `POST /v1/operator/epoch` (CUS-3). */
export const EpochRequestSchema = Type.Object({
  epoch: Type.Integer({ minimum: 1, description: 'The new epoch: the present one and 1' }),
  reason: REASON,
});
export type EpochRequest = Static<typeof EpochRequestSchema>;

export const EpochAnswerSchema = Type.Object({ ok: Type.Literal(true), epoch: count('The epoch') });

/** Body of `POST /v1/operator/payouts/adopt` (CUS-4). */
export const AdoptRequestSchema = Type.Object({
  payoutId: payoutNumber,
  address: AddressText,
  amountUsd: usd('Amount, exact to a millionth'),
  txHash: TxHashText,
  reason: REASON,
});
export type AdoptRequest = Static<typeof AdoptRequestSchema>;

/** Body of `POST /v1/operator/payouts/void` (CUS-4). */
export const VoidRequestSchema = Type.Object({ id: withdrawalId, reason: REASON });
export type VoidRequest = Static<typeof VoidRequestSchema>;

/** Body of `POST /v1/operator/payouts/wait`: why a payout waits, or null (CUS-16). */
export const PayoutWaitRequestSchema = Type.Object({ id: withdrawalId, reason: nullable(REASON) });
export type PayoutWaitRequest = Static<typeof PayoutWaitRequestSchema>;

/** Body of `POST /v1/operator/payouts/approve` (CUS-16). */
export const PayoutApproveRequestSchema = Type.Object({
  id: withdrawalId,
  approver: AddressText,
  signature: SignatureText,
});
export type PayoutApproveRequest = Static<typeof PayoutApproveRequestSchema>;

/** Answer of every route that changes one payout. */
export const PayoutAnswerSchema = Type.Object({ ok: Type.Literal(true), payout: OperatorPayoutSchema });
export type PayoutAnswer = Static<typeof PayoutAnswerSchema>;

/** Body of `POST /v1/operator/payouts/halt`: why nothing can be paid, or null (CUS-7). */
export const HaltRequestSchema = Type.Object({ reason: nullable(REASON) });
export type HaltRequest = Static<typeof HaltRequestSchema>;

export const HaltAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  payoutsHalted: nullable(text('Why no payout can be made')),
});

/** Body of `POST /v1/operator/withdrawals/freeze` (CUS-4). */
export const FreezeRequestSchema = Type.Object({
  address: AddressText,
  frozen: Type.Boolean({ description: 'False lets withdrawals again' }),
  reason: REASON,
});
export type FreezeRequest = Static<typeof FreezeRequestSchema>;

export const FreezeAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  address: AddressText,
  frozen: Type.Boolean(),
});

const LOG = { txHash: TxHashText, logIndex: count('Index of the log in its block') };

/** Body of `POST /v1/operator/deposits/hold` and `/reverse` (CUS-4). */
export const DepositDoubtRequestSchema = Type.Object({ ...LOG, reason: REASON });
export type DepositDoubtRequest = Static<typeof DepositDoubtRequestSchema>;

export const DepositDoubtAnswerSchema = Type.Object({
  ok: Type.Literal(true),
  amountUsd: usd('Amount'),
  account: AccountSchema,
});
export type DepositDoubtAnswer = Static<typeof DepositDoubtAnswerSchema>;

/** One deposit as the ledger has it. */
export const LedgerDepositSchema = Type.Object({
  ...LOG,
  address: AddressText,
  amount: Type.Integer({ description: 'Amount, in millionths of a dollar' }),
  blockNumber: count('Number of the block'),
  blockHash: TxHashText,
  ofHouse: Type.Boolean({ description: 'Whether it is capital of the house' }),
  doubted: Type.Boolean({ description: 'Whether an operator holds it in doubt' }),
});
export type LedgerDeposit = Static<typeof LedgerDepositSchema>;

/** Answer of `GET /v1/operator/deposits`: in the order in which they were credited. */
export const LedgerDepositListSchema = Type.Object({
  deposits: Type.Array(LedgerDepositSchema, { maxItems: 1000 }),
});
export type LedgerDepositList = Static<typeof LedgerDepositListSchema>;

export const LedgerDepositQuerySchema = Type.Object({
  after: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: 'Number of deposits to pass over' }),
  ),
});
export type LedgerDepositQuery = Static<typeof LedgerDepositQuerySchema>;
