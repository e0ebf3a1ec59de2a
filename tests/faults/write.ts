/** One signed write: its request, its answer, and what the log must therefore contain. */

import {
  type Command,
  type CommandKind,
  isRefused,
  type OutcomeOf,
  type Refused,
  type RowError,
} from '@venue/engine';
import { type ActionResult, decimalToMicros, MESSAGES } from '@venue/protocol';
import { actionResultView } from '../../packages/exchange/src/views/batch.ts';

export type WriteKind = 'order' | 'batch' | 'cancel' | 'cancel-order' | 'margin' | 'quote-set';

export interface Heard {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Write {
  readonly kind: WriteKind;
  /** Its identity in the log: account, session key and nonce. */
  readonly key: string;
  /** As sent, and possibly repeated: the nonce is accepted once. */
  readonly body: string;
  /** Those that sign a push, whose body carries no signature. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer, or null while its fate is unknown. */
  heard: Heard | null;
  /** When it was first sent, and when its fate was learned (0 before), by the monotonic clock. */
  readonly askedMs: number;
  heardMs: number;
  /** True when a repetition found the nonce spent, so that it was carried out. */
  isKnownToBeIn: boolean;
}

export const PATHS: Readonly<Record<WriteKind, string>> = {
  order: '/v1/order',
  batch: '/v1/batch',
  cancel: '/v1/cancel',
  'cancel-order': '/v1/order/cancel',
  margin: '/v1/margin',
  'quote-set': '/v1/quote-sets/1',
};

/** The key of the signed write in an entry, or null for any other entry. */
export function keyOf(command: Command): string | null {
  if (!('authorization' in command) || command.authorization === undefined) return null;
  const { sessionKey, nonce } = command.authorization;
  return `${command.account} ${sessionKey} ${nonce}`;
}

/**
 * True when an answer is the engine's decision on the write: a 400 is, if it is a rejected order, a push that is declined
 * or refused, or the one other refusal that these writes can get (ACC-3). Any other 400 is the HTTP edge's, which no
 * trader's write should get.
 */
export function isAcknowledgement({ status, body }: Heard): boolean {
  if (status === 200) return true;
  if (status !== 400) return false;
  return 'status' in body || REFUSALS.has(String(body.error)) || isDeclinedPush(body);
}

const REFUSALS: ReadonlySet<string> = new Set([
  MESSAGES.marginShortExposure.error,
  MESSAGES.unknownSet.error,
  MESSAGES.stalePush.error,
  MESSAGES.setFrozen.error,
]);

function isDeclinedPush({ error }: Heard['body']): boolean {
  return /^insufficient (buying power|margin for short) \(need /.test(String(error));
}

interface OrderBody {
  readonly status: string;
  readonly orderId: number;
  readonly reason?: string;
  readonly fills: readonly { readonly price: number; readonly qty: number }[];
  readonly restedQty?: number;
}

/** Ids of the orders that an acknowledged write placed. */
export function placedIds({ kind, heard }: Write): number[] {
  if (heard === null || heard.status !== 200) return [];
  if (kind === 'order') return [heard.body.orderId as number];
  if (kind !== 'batch') return [];
  const results = heard.body.results as readonly ActionResult[];
  return results.flatMap((result) =>
    result.type === 'place' && result.status !== 'duplicate' && result.orderId > 0 ? [result.orderId] : [],
  );
}

/** An acknowledgement's text, in the form of `outcomeText`. */
export function heardText({ kind }: Write, { status, body }: Heard): string {
  if (kind === 'quote-set' && isDeclinedPush(body)) return `declined: ${body.error}`;
  if (status !== 200 && !('status' in body)) return 'refused';
  if (kind === 'order') {
    const { status: word, orderId, reason, fills, restedQty } = body as unknown as OrderBody;
    if (word === 'rejected') return `rejected: ${reason}`;
    const trades = fills.map(({ price, qty }) => `${decimalToMicros(price)}x${decimalToMicros(qty)}`);
    return `${word} ${orderId} ${trades.join('+')} ${decimalToMicros(restedQty ?? 0)}`;
  }
  if (kind === 'batch') return JSON.stringify(body.results);
  if (kind === 'quote-set') return pushText(body.applied as number, body.rowErrors as readonly RowError[]);
  if (kind === 'cancel') return `pulled ${body.pulled}`;
  return kind === 'margin' ? `margin ${body.marginEnabled}` : `${body.orderId} ${body.ok}`;
}

/** The outcome of an entry, to compare with the answer. */
export function outcomeText(kind: CommandKind, outcome: OutcomeOf<CommandKind>): string {
  if (isRefused(outcome)) return 'refused';
  if ('status' in outcome && kind === 'order') {
    const order = outcome as Exclude<OutcomeOf<'order'>, { refusal: unknown }>;
    if (order.status === 'rejected') return `rejected: ${order.reason}`;
    const trades = order.trades.map(({ priceMicros, qtyMicros }) => `${priceMicros}x${qtyMicros}`);
    return `${order.status} ${order.orderId} ${trades.join('+')} ${order.restedMicros}`;
  }
  if (kind === 'quote-set') return pushOutcomeText(outcome as Exclude<OutcomeOf<'quote-set'>, Refused>);
  if ('results' in outcome) return JSON.stringify(outcome.results.map(actionResultView));
  if ('pulled' in outcome) return `pulled ${outcome.pulled}`;
  if ('marginEnabled' in outcome) return `margin ${outcome.marginEnabled}`;
  return 'ok' in outcome ? `${outcome.orderId} ${outcome.ok}` : kind;
}

function pushOutcomeText(outcome: Exclude<OutcomeOf<'quote-set'>, Refused>): string {
  if ('reason' in outcome) return `declined: ${outcome.reason}`;
  return 'status' in outcome ? outcome.status : pushText(outcome.applied, outcome.rowErrors);
}

/** Rows are numbered otherwise in the log, which leaves some of them out. */
function pushText(applied: number, rowErrors: readonly RowError[]): string {
  return `applied ${applied}, ${rowErrors.map(({ error }) => error).join(', ')}`;
}

const APPLIED = /^applied (\d+), (.*)$/;

/**
 * True if an answer and an entry say the same of a write. The entry of a push has no row that changed nothing or that was
 * refused on arrival, and is refused if every row was (QTS-6).
 */
export function agree(told: string, did: string): boolean {
  if (told === did) return true;
  const [, toldRows, toldErrors] = APPLIED.exec(told) ?? [];
  if (toldErrors === undefined) return false;
  if (did === 'refused') return toldRows === '0' && toldErrors !== '';
  const [, didRows, didErrors] = APPLIED.exec(did) ?? [];
  if (didErrors === undefined || Number(didRows) > Number(toldRows)) return false;
  const left = toldErrors.split(', ');
  const isTold = (error: string) => {
    const at = left.indexOf(error);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  return didErrors === '' || didErrors.split(', ').every(isTold);
}
