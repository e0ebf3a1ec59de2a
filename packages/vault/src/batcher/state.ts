/** The batcher's persistent state: the batch it may have sent, and those that a deep reorg could still remove. */

import type { Address, Hex } from '@venue/protocol';
import type { Hash } from '../chain/parse.ts';
import { isSeenBlock, type SeenBlock } from '../chain/seen-block.ts';
import { isAddress, isBytes, isCount, isHash, isList, isObject, isWeiText } from '../chain/shape.ts';
import type { StateFile } from '../daemon/state-file.ts';
import type { VaultPayout } from '../events/vault.ts';
import { type FlowsCheckpoint, isFlowsCheckpoint } from '../events/vault-flows.ts';
import type { Step } from './committer.ts';

/** Names a signed withdrawal: a session key spends each nonce once. */
export interface WithdrawalKey {
  readonly sessionKey: Address;
  readonly nonce: number;
}

/** A payout on its way into a batch; `id` is its number in the vault. */
export interface BatchPayout extends VaultPayout {
  /** Its number in the ledger. */
  readonly ledgerId: number;
  /** The signed withdrawal that it rests on; null for one without. */
  readonly withdrawal: WithdrawalKey | null;
}

/** A payout that is committed, and when, in unix seconds. */
export interface PaidPayout extends BatchPayout {
  readonly atSec: number;
}

/** One signed form of a batch. All forms have the same nonce, so at most one is ever mined. */
export interface SignedForm {
  readonly hash: Hash;
  readonly signed: Hex;
  readonly feeWei: string;
  readonly tipWei: string;
  readonly signedAtMs: number;
}

/** A step that may have been sent. */
export interface Batch extends Step<BatchPayout> {
  readonly nonce: number;
  readonly gas: string;
  /** At least one; the newest last. */
  readonly forms: readonly SignedForm[];
}

/** A batch that is confirmed on chain and recorded at the exchange. */
export interface ClosedBatch {
  readonly batchId: Hash;
  readonly nonce: number;
  readonly signed: Hex;
  readonly blockNumber: number;
}

export interface BatcherState {
  readonly chainId: number;
  readonly vault: Address;
  readonly operator: Address;
  /** The first block of the vault; null until the chain was asked for it. */
  readonly anchor: SeenBlock | null;
  /** Nonce of the operator's next transaction, or null if unknown. */
  readonly nextNonce: number | null;
  readonly open: Batch | null;
  readonly closed: readonly ClosedBatch[];
  /** Committed in the last 31 days, so that no signed withdrawal is paid twice (CUS-5). */
  readonly paid: readonly PaidPayout[];
  /** How far the vault's deposits are summed up; null before the first time. */
  readonly flows: FlowsCheckpoint | null;
}

type Place = Pick<BatcherState, 'chainId' | 'vault' | 'operator'>;

/** The state of a file, or a fresh one without it; throws `ConfigError` for a damaged file or one of another vault. */
export function readState(file: StateFile, { chainId, vault, operator }: Place): BatcherState {
  const content = file.read();
  if (content === undefined)
    return {
      chainId,
      vault,
      operator,
      anchor: null,
      nextNonce: null,
      open: null,
      closed: [],
      paid: [],
      flows: null,
    };
  if (!isState(content))
    throw file.unusable(
      'it is no state of a batcher',
      'restore it from a copy, or move it away once no transaction of the operator is waiting: what is on chain is found again',
    );
  if (content.chainId === chainId && content.vault === vault && content.operator === operator)
    return completed(content);
  throw file.unusable(
    `it is of vault ${content.vault} on chain ${content.chainId} with operator ${content.operator}`,
    'name another file in VENUE_BATCHER_STATE',
  );
}

/** Earlier releases had no anchor and no list of what is paid, payouts without words, and no gate. */
function completed(content: BatcherState): BatcherState {
  const { anchor = null, paid = [], flows = null, open } = content;
  const payouts = open?.payouts.map((payout) => ({ ...payout, ...withoutWords(payout) })) ?? [];
  return {
    ...content,
    anchor,
    paid,
    flows,
    open: open === null ? null : { ...withoutGate(open), ...open, payouts },
  };
}

function withoutGate({ batchId }: Batch): Pick<Batch, 'kind' | 'name'> {
  return { kind: 'commit', name: batchId };
}

function withoutWords({ id, ledgerId = id, withdrawal = null }: Partial<BatchPayout> & VaultPayout) {
  return { ledgerId, withdrawal };
}

function isState(value: unknown): value is BatcherState {
  if (!isObject(value)) return false;
  const { chainId, vault, operator, anchor, nextNonce, open, closed, paid, flows } = value;
  return (
    isCount(chainId) &&
    isAddress(vault) &&
    isAddress(operator) &&
    (anchor === undefined || anchor === null || isSeenBlock(anchor)) &&
    (nextNonce === null || isCount(nextNonce)) &&
    (open === null || isBatch(open)) &&
    isList(closed, isClosed) &&
    (paid === undefined || isList(paid, isPaid)) &&
    (flows === undefined || flows === null || isFlowsCheckpoint(flows))
  );
}

const KINDS: readonly Batch['kind'][] = ['commit', 'propose', 'execute'];

function isBatch(value: unknown): value is Batch {
  if (!isObject(value)) return false;
  const { kind, batchId, name, payouts, nonce, gas, forms } = value;
  return (
    (kind === undefined || KINDS.includes(kind as Batch['kind'])) &&
    isHash(batchId) &&
    (name === undefined || isHash(name)) &&
    isCount(nonce) &&
    isWeiText(gas) &&
    isList(payouts, isPayout) &&
    payouts.length > 0 &&
    isList(forms, isForm) &&
    forms.length > 0
  );
}

function isPayout(value: unknown): value is BatchPayout {
  if (!isObject(value)) return false;
  const { id, ledgerId, account, amount, withdrawal } = value;
  return (
    isCount(id) &&
    (ledgerId === undefined || isCount(ledgerId)) &&
    isAddress(account) &&
    isCount(amount) &&
    (withdrawal == null || isWithdrawalKey(withdrawal))
  );
}

function isWithdrawalKey(value: unknown): value is WithdrawalKey {
  return isObject(value) && isAddress(value.sessionKey) && isCount(value.nonce);
}

function isPaid(value: unknown): value is PaidPayout {
  return isPayout(value) && isCount((value as PaidPayout).atSec);
}

function isForm(value: unknown): value is SignedForm {
  if (!isObject(value)) return false;
  const { hash, signed, feeWei, tipWei, signedAtMs } = value;
  return isHash(hash) && isBytes(signed) && isWeiText(feeWei) && isWeiText(tipWei) && isCount(signedAtMs);
}

function isClosed(value: unknown): value is ClosedBatch {
  if (!isObject(value)) return false;
  const { batchId, nonce, signed, blockNumber } = value;
  return isHash(batchId) && isCount(nonce) && isBytes(signed) && isCount(blockNumber);
}
