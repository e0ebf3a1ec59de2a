/** Reconstructs the text behind each signature in the log. */

import type {
  Authorization,
  BatchCommand,
  CancelCommand,
  CancelOrderCommand,
  Command,
  FundingMode,
  MarginCommand,
  OrderCommand,
  QuoteSetCommand,
  RevokeCommand,
  State,
  WithdrawCommand,
} from '@venue/engine';
import {
  type Address,
  batchEnvelope,
  cancelEnvelope,
  cancelOrderEnvelope,
  type EnvelopeFields,
  type Hex,
  type Micros,
  marginEnvelope,
  orderEnvelope,
  quotesEnvelope,
  sessionApprovalMessage,
  sessionRevokeMessage,
  withdrawEnvelope,
} from '@venue/protocol';

/** A signature from the log. `signer` must have signed one of the texts. */
export interface Signed {
  readonly signer: Address;
  readonly signature: Hex;
  readonly texts: readonly string[];
}

/** `open`: needs no signature. `unsigned`: authorized by a bearer token. `void`: revokes an unknown session. */
export type Proof = Signed | 'open' | 'unsigned' | 'void';

/** Writes signed by a session key or, where signing is optional, authorized by a bearer token. */
export type Write =
  | OrderCommand
  | BatchCommand
  | CancelCommand
  | CancelOrderCommand
  | MarginCommand
  | QuoteSetCommand
  | WithdrawCommand;

const WRITES: ReadonlySet<Command['kind']> = new Set<Write['kind']>([
  'order',
  'batch',
  'cancel',
  'cancel-order',
  'margin',
  'quote-set',
  'withdraw',
]);

/**
 * Returns the proof that an entry carries, judged by the state before it. Throws if no signed text can carry a value.
 *
 * A revocation's text may name any expiry that the session has been approved with and that can still be replayed
 * (KEY-3): another approval may have arrived between the node's check and the entry.
 */
export function proofOf(state: State, command: Command): Proof {
  switch (command.kind) {
    case 'order':
    case 'batch':
    case 'cancel':
    case 'cancel-order':
    case 'margin':
    case 'quote-set':
    case 'withdraw':
      return command.authorization === undefined
        ? 'unsigned'
        : envelopeProof(state, command, command.authorization);
    case 'approve': {
      const { address: account, sessionKey, expiresAt: expiresAtMs, signature } = command;
      const text = sessionApprovalMessage({ account, sessionKey, expiresAtMs });
      return { signer: account, signature, texts: [text] };
    }
    case 'revoke':
      return revocationProof(state, command);
    default:
      return 'open';
  }
}

function envelopeProof(state: State, write: Write, { sessionKey, nonce, signature }: Authorization): Signed {
  const text = envelopeOf(state, write, { account: write.account, nonce });
  return { signer: sessionKey, signature, texts: [text] };
}

function envelopeOf(state: State, write: Write, fields: EnvelopeFields): string {
  switch (write.kind) {
    case 'order': {
      const { seriesId, side, qtyMicros, priceMicros } = write;
      const price = priceMicros === null ? 'market' : (priceMicros as Micros);
      return orderEnvelope({ ...fields, seriesId, side, qtyMicros: qtyMicros as Micros, priceMicros: price });
    }
    case 'batch':
      return batchEnvelope({ ...fields, venue: idOf(state), actions: write.actions });
    case 'cancel':
      return cancelEnvelope({ ...fields, symbols: write.symbols ?? 'all' });
    case 'cancel-order':
      return cancelOrderEnvelope({ ...fields, orderId: write.orderId });
    case 'margin':
      return marginEnvelope({ ...fields, enabled: write.enabled });
    case 'quote-set': {
      const { set, form, bodyHash } = write;
      return quotesEnvelope({ ...fields, venue: idOf(state), set, form, bodyHash });
    }
    case 'withdraw':
      return withdrawEnvelope({ ...fields, amountMicros: write.amountMicros });
  }
}

/** The id in force: a log that was given another is signed for under that one from then on (VEN-1). */
function idOf({ venue }: State): string {
  if (venue === null) throw new Error('the log has no id');
  return venue;
}

/** An unknown session was forgotten before its revocation arrived. The engine refuses that, so nothing changes. */
function revocationProof(state: State, { address, sessionKey, signature }: RevokeCommand): Proof {
  const session = state.accountByAddress.get(address)?.sessions.get(sessionKey);
  if (session === undefined) return 'void';
  const texts = [session.expiresAt, ...session.supersededExpiries].flatMap((expiresAtMs) => {
    const terms = { account: address, sessionKey, expiresAtMs };
    return [sessionRevokeMessage(terms), sessionApprovalMessage(terms)];
  });
  return { signer: address, signature, texts };
}

/** Returns why the mode forbids this unsigned write, or null if it does not (AUTH-3, FINE-14). */
export function unsignedFault(command: Command, mode: FundingMode | undefined): string | null {
  if (mode !== 'deposits') return null;
  if (command.kind === 'quotes') return command.session === null ? 'quotes without a quote session' : null;
  return isWrite(command) && command.authorization === undefined ? 'a write without a signature' : null;
}

function isWrite(command: Command): command is Write {
  return WRITES.has(command.kind);
}
