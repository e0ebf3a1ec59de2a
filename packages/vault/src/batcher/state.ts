/** The batcher's persistent state: the batch it may have sent, and those that a deep reorg could still remove. */

import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import {
  AddressText,
  BytesText,
  type Content,
  Count,
  HashText,
  nullable,
  SeenBlockSchema,
  WeiText,
} from '../chain/schemas.ts';
import type { StateFile } from '../daemon/state-file.ts';
import { FlowsCheckpointSchema } from '../events/vault-flows.ts';

const WithdrawalKeySchema = Type.Object({ sessionKey: AddressText, nonce: Count });
/** Names a signed withdrawal: a session key spends each nonce once. */
export type WithdrawalKey = Content<typeof WithdrawalKeySchema>;

const BatchPayoutSchema = Type.Object({
  id: Count,
  /** Its number in the ledger. */
  ledgerId: Count,
  account: AddressText,
  amount: Count,
  /** The signed withdrawal that it rests on; null for one without. */
  withdrawal: nullable(WithdrawalKeySchema),
});
/** A payout on its way into a batch; `id` is its number in the vault. */
export type BatchPayout = Content<typeof BatchPayoutSchema>;

const PaidPayoutSchema = Type.Object({ ...BatchPayoutSchema.properties, atSec: Count });
/** A payout that is committed, and when, in unix seconds. */
export type PaidPayout = Content<typeof PaidPayoutSchema>;

const SignedFormSchema = Type.Object({
  hash: HashText,
  signed: BytesText,
  feeWei: WeiText,
  tipWei: WeiText,
  signedAtMs: Count,
});
/** One signed form of a batch. All forms have the same nonce, so at most one is ever mined. */
export type SignedForm = Content<typeof SignedFormSchema>;

const BatchSchema = Type.Object({
  kind: Type.Union([Type.Literal('commit'), Type.Literal('propose'), Type.Literal('execute')]),
  batchId: HashText,
  name: HashText,
  payouts: Type.Array(BatchPayoutSchema, { minItems: 1 }),
  nonce: Count,
  gas: WeiText,
  /** The newest last. */
  forms: Type.Array(SignedFormSchema, { minItems: 1 }),
});
/** A step that may have been sent. */
export type Batch = Content<typeof BatchSchema>;

const ClosedBatchSchema = Type.Object({
  batchId: HashText,
  nonce: Count,
  signed: BytesText,
  blockNumber: Count,
});
/** A batch that is confirmed on chain and recorded at the exchange. */
export type ClosedBatch = Content<typeof ClosedBatchSchema>;

const BatcherStateSchema = Type.Object({
  chainId: Count,
  vault: AddressText,
  operator: AddressText,
  /** The first block of the vault; null until the chain was asked for it. */
  anchor: nullable(SeenBlockSchema),
  /** Nonce of the operator's next transaction, or null if unknown. */
  nextNonce: nullable(Count),
  open: nullable(BatchSchema),
  closed: Type.Array(ClosedBatchSchema),
  /** Committed in the last 31 days, so that no signed withdrawal is paid twice (CUS-5). */
  paid: Type.Array(PaidPayoutSchema),
  /** How far the vault's deposits are summed up; null before the first time. */
  flows: nullable(FlowsCheckpointSchema),
});
export type BatcherState = Content<typeof BatcherStateSchema>;

type Place = Pick<BatcherState, 'chainId' | 'vault' | 'operator'>;

/** The state of a file, or a fresh one without it; throws `ConfigError` for a damaged file or one of another vault. */
export function readState(file: StateFile, { chainId, vault, operator }: Place): BatcherState {
  const content = file.read();
  if (content === undefined) {
    const none = { anchor: null, nextNonce: null, open: null, closed: [], paid: [], flows: null };
    return { chainId, vault, operator, ...none };
  }
  if (!Check(BatcherStateSchema, content))
    throw file.unusable(
      'not a batcher state file',
      'restore it from a copy, or move it away once no transaction of the operator is waiting: what is on chain is found again',
    );
  if (content.chainId === chainId && content.vault === vault && content.operator === operator) return content;
  throw file.unusable(
    `it is of vault ${content.vault} on chain ${content.chainId} with operator ${content.operator}`,
    'name another file in VENUE_BATCHER_STATE',
  );
}
