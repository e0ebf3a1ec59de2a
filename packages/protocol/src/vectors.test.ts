import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type BatchEnvelopeFields, batchEnvelope } from './actions/envelope.ts';
import { readActions } from './actions/read.ts';
import type { Address, Hex } from './address.ts';
import { parseSignature, personalDigest, recoverAddress } from './eip191.ts';
import {
  cancelEnvelope,
  cancelOrderEnvelope,
  challengeMessage,
  marginEnvelope,
  type OrderEnvelopeFields,
  orderEnvelope,
  payoutApprovalMessage,
  type SessionTerms,
  sessionApprovalMessage,
  sessionRevokeMessage,
  withdrawEnvelope,
} from './envelopes.ts';
import { pushEnvelope } from './push.ts';
import { quotesEnvelope } from './quote-sets.ts';
import { addressOfPrivateKey, signPersonal } from './signing.ts';

const BUILDERS = {
  challenge: challengeMessage,
  approval: sessionApprovalMessage,
  revocation: sessionRevokeMessage,
  order: orderEnvelope,
  cancel: cancelEnvelope,
  cancelOrder: cancelOrderEnvelope,
  margin: marginEnvelope,
  withdraw: withdrawEnvelope,
  batch: postedBatchText,
  quotes: quotesEnvelope,
  payoutApproval: payoutApprovalMessage,
  push: pushEnvelope,
};

/** The text of a batch whose actions the vectors hold as posted, so that they cover the defaults. */
function postedBatchText(fields: Omit<BatchEnvelopeFields, 'actions'> & { actions: unknown }): string {
  const actions = readActions(fields.actions);
  assert.ok(!('error' in actions), `not readable: ${JSON.stringify(actions)}`);
  return batchEnvelope({ ...fields, actions });
}

interface Vector {
  readonly name: string;
  readonly kind: keyof typeof BUILDERS;
  readonly fields: SessionTerms & OrderEnvelopeFields & { readonly address: Address };
  readonly text: string;
  readonly privateKey: Hex;
  readonly digest: Hex;
  readonly signature: Hex;
  readonly address: Address;
}

const path = new URL('../vectors/envelopes.json', import.meta.url);
const vectors = JSON.parse(readFileSync(path, 'utf8')) as Vector[];

describe('golden vectors of two independent libraries', () => {
  it('cover every signed text', () => {
    assert.deepEqual(new Set(vectors.map(({ kind }) => kind)), new Set(Object.keys(BUILDERS)));
    assert.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length);
  });

  for (const vector of vectors) {
    describe(vector.name, () => {
      it('SIG-2 SIG-3 KEY-3 ORD-12 BAT-1 QTS-1 CUS-16 PUSH-1 the text is rebuilt byte for byte', () => {
        const build = BUILDERS[vector.kind] as (fields: unknown) => string;
        assert.deepEqual(Buffer.from(build(vector.fields)), Buffer.from(vector.text));
      });

      it('SIG-2 the digest is the same', () => {
        assert.equal(`0x${bytesToHex(personalDigest(vector.text))}`, vector.digest);
      });

      it('SIG-1 the signer is recovered', () => {
        const signature = parseSignature(vector.signature);
        assert.ok(signature);
        assert.equal(recoverAddress(personalDigest(vector.text), signature)?.address, vector.address);
      });

      it('the signature is reproduced byte for byte', () => {
        assert.equal(addressOfPrivateKey(vector.privateKey), vector.address);
        assert.equal(signPersonal(vector.text, vector.privateKey), vector.signature);
      });
    });
  }
});
