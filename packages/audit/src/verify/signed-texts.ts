/** What stands signed in the log, and the text that each signature must fit. */

import type {
  Authorization,
  CancelCommand,
  CancelOrderCommand,
  Command,
  FundingMode,
  MarginCommand,
  OrderCommand,
  RevokeCommand,
  State,
  WithdrawCommand,
} from '@venue/engine';
import {
  type Address,
  cancelEnvelope,
  cancelOrderEnvelope,
  type EnvelopeFields,
  type Hex,
  type Micros,
  marginEnvelope,
  orderEnvelope,
  sessionApprovalMessage,
  sessionRevokeMessage,
  withdrawEnvelope,
} from '@venue/protocol';

/** A signature of the log: `signer` must have signed one of the texts. */
export interface Signed {
  readonly signer: Address;
  readonly signature: Hex;
  readonly texts: readonly string[];
}

/** `open`: nobody signs it. `unsigned`: a write that a bearer token let in. `void`: it names what nobody ever approved. */
export type Proof = Signed | 'open' | 'unsigned' | 'void';

/** Writes that a session key signs, or, where signing is optional, the holder of a bearer token sends. */
export type Write = OrderCommand | CancelCommand | CancelOrderCommand | MarginCommand | WithdrawCommand;

/**
 * The proof that an entry carries, by the state before it. Throws when it holds a value that no text can carry.
 *
 * A revocation is looked up in what its session knows (KEY-3): the text may name any expiry that was ever approved and
 * can still be replayed, as an approval may have come in between the check and the entry.
 */
export function proofOf(state: State, command: Command): Proof {
  switch (command.kind) {
    case 'order':
    case 'cancel':
    case 'cancel-order':
    case 'margin':
    case 'withdraw':
      return command.authorization === undefined ? 'unsigned' : envelopeProof(command, command.authorization);
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

function envelopeProof(write: Write, { sessionKey, nonce, signature }: Authorization): Signed {
  const text = envelopeOf(write, { account: write.account, nonce });
  return { signer: sessionKey, signature, texts: [text] };
}

function envelopeOf(write: Write, fields: EnvelopeFields): string {
  switch (write.kind) {
    case 'order': {
      const { seriesId, side, qtyMicros, priceMicros } = write;
      const price = priceMicros === null ? 'market' : (priceMicros as Micros);
      return orderEnvelope({ ...fields, seriesId, side, qtyMicros: qtyMicros as Micros, priceMicros: price });
    }
    case 'cancel':
      return cancelEnvelope({ ...fields, symbols: write.symbols ?? 'all' });
    case 'cancel-order':
      return cancelOrderEnvelope({ ...fields, orderId: write.orderId });
    case 'margin':
      return marginEnvelope({ ...fields, enabled: write.enabled });
    case 'withdraw':
      return withdrawEnvelope({ ...fields, amountMicros: write.amountMicros });
  }
}

/** One of a session that is not known was in time once, and changes nothing: the engine refuses it. */
function revocationProof(state: State, { address, sessionKey, signature }: RevokeCommand): Proof {
  const session = state.accountByAddress.get(address)?.sessions.get(sessionKey);
  if (session === undefined) return 'void';
  const texts = [session.expiresAt, ...session.supersededExpiries].flatMap((expiresAtMs) => {
    const terms = { account: address, sessionKey, expiresAtMs };
    return [sessionRevokeMessage(terms), sessionApprovalMessage(terms)];
  });
  return { signer: address, signature, texts };
}

/** Why the mode forbids a write without a signature, or null (AUTH-3, FINE-14). */
export function unsignedFault(command: Command, mode: FundingMode | undefined): string | null {
  if (mode !== 'deposits') return null;
  if (command.kind === 'quotes') return command.session === null ? 'quotes without a quote session' : null;
  return isWrite(command) && command.authorization === undefined ? 'a write without a signature' : null;
}

function isWrite(command: Command): command is Write {
  return ['order', 'cancel', 'cancel-order', 'margin', 'withdraw'].includes(command.kind);
}
