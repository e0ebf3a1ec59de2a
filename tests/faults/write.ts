/** One signed write: what was asked, what was heard of it, and what the log must therefore hold. */

import { type Command, type CommandKind, isRefused, type OutcomeOf } from '@venue/engine';
import { decimalToMicros, MESSAGES } from '@venue/protocol';

export type WriteKind = 'order' | 'cancel' | 'cancel-order' | 'margin';

export interface Heard {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Write {
  readonly kind: WriteKind;
  /** Names it in the log: account, session key and nonce. */
  readonly key: string;
  /** As it was sent, and may be sent again: the nonce lets it in once. */
  readonly body: string;
  /** What was answered, or null while nobody knows what became of it. */
  heard: Heard | null;
  /** When that was, by the monotonic clock. */
  heardMs: number;
  /** A repetition was told that the nonce is spent, so it has happened. */
  isKnownToBeIn: boolean;
}

export const PATHS: Readonly<Record<WriteKind, string>> = {
  order: '/v1/order',
  cancel: '/v1/cancel',
  'cancel-order': '/v1/order/cancel',
  margin: '/v1/margin',
};

/** Names the signed write that an entry carries, or null for any other entry. */
export function keyOf(command: Command): string | null {
  if (!('authorization' in command) || command.authorization === undefined) return null;
  const { sessionKey, nonce } = command.authorization;
  return `${command.account} ${sessionKey} ${nonce}`;
}

/**
 * Whether an answer is the engine's word on the write: a 400 is, if it is a rejected order, or the one refusal of the engine
 * that these writes can meet (ACC-3). Any other is that of the door, which no write of a trader should meet.
 */
export function isAcknowledgement({ status, body }: Heard): boolean {
  if (status === 200) return true;
  return status === 400 && ('status' in body || body.error === MESSAGES.marginShortExposure.error);
}

interface OrderBody {
  readonly status: string;
  readonly orderId: number;
  readonly reason?: string;
  readonly fills: readonly { readonly price: number; readonly qty: number }[];
  readonly restedQty?: number;
}

/** What an acknowledgement says, in the words of `outcomeText`. */
export function heardText({ kind }: Write, { status, body }: Heard): string {
  if (status !== 200 && !('status' in body)) return 'refused';
  if (kind === 'order') {
    const { status: word, orderId, reason, fills, restedQty } = body as unknown as OrderBody;
    if (word === 'rejected') return `rejected: ${reason}`;
    const trades = fills.map(({ price, qty }) => `${decimalToMicros(price)}x${decimalToMicros(qty)}`);
    return `${word} ${orderId} ${trades.join('+')} ${decimalToMicros(restedQty ?? 0)}`;
  }
  if (kind === 'cancel') return `pulled ${body.pulled}`;
  return kind === 'margin' ? `margin ${body.marginEnabled}` : `${body.orderId} ${body.ok}`;
}

/** What an entry did, to be held against what was answered. */
export function outcomeText(kind: CommandKind, outcome: OutcomeOf<CommandKind>): string {
  if (isRefused(outcome)) return 'refused';
  if ('status' in outcome && kind === 'order') {
    const order = outcome as Exclude<OutcomeOf<'order'>, { refusal: unknown }>;
    if (order.status === 'rejected') return `rejected: ${order.reason}`;
    const trades = order.trades.map(({ priceMicros, qtyMicros }) => `${priceMicros}x${qtyMicros}`);
    return `${order.status} ${order.orderId} ${trades.join('+')} ${order.restedMicros}`;
  }
  if ('pulled' in outcome) return `pulled ${outcome.pulled}`;
  if ('marginEnabled' in outcome) return `margin ${outcome.marginEnabled}`;
  return 'ok' in outcome ? `${outcome.orderId} ${outcome.ok}` : kind;
}
