/** Shows the text that the service rebuilt from a signed request, to explain a refused signature. Changes nothing. */

import { isRefused } from '@venue/engine';
import { batchEnvelope, personalDigest, sessionApprovalMessage, sessionRevokeMessage } from '@venue/protocol';
import {
  CancelOrderRequestSchema,
  CancelRequestSchema,
  MarginRequestSchema,
  OrderRequestSchema,
  SessionRequestSchema,
  SessionRevokeRequestSchema,
  WithdrawRequestSchema,
} from '@venue/protocol/wire';
import { type Static, type TObject, Type } from 'typebox';
import { explainEnvelope } from '../../auth/explain-envelope.ts';
import { HttpError, refuse } from '../errors.ts';
import { actionsOf } from '../read-batch.ts';
import { type Route, route } from '../route.ts';
import type { Services } from '../services.ts';
import { addressField, approvalTerms, termsInForce } from '../session-keys.ts';
import {
  cancelOrderText,
  cancelText,
  type EnvelopeText,
  marginText,
  orderText,
  withdrawText,
} from '../texts.ts';
import { compileCheck } from '../validate.ts';
import { signingFieldsOf, unsignedPart } from '../writes.ts';
import { CANCEL_ERRORS } from './orders.ts';

const ExplanationSchema = Type.Object({
  text: Type.String({ description: 'The text the service rebuilt, byte for byte' }),
  digest: Type.String({ description: 'Its EIP-191 digest' }),
  recovered: Type.Union([Type.String({ description: 'Whose key signed that text' }), Type.Null()]),
  expected: Type.String({ description: 'Whose key should have' }),
});
type Explanation = Static<typeof ExplanationSchema>;

export function debugRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/debug/envelope',
      access: 'public',
      atNode: false,
      body: Type.Record(Type.String(), Type.Unknown()),
      answer: ExplanationSchema,
      contract: {
        id: 'explainEnvelope',
        tag: 'Help',
        summary: 'The text the service rebuilds for a signed request, and who signed it',
        text: 'Takes the very body of a signed request (order, cancel, batch, margin, withdrawal, approval, revocation) and says which text the service rebuilt from it and whose key signed that. Changes nothing and spends no nonce.',
        errors: [
          'signatureFieldsRequired',
          'unknownSessionKey',
          'sessionExpired',
          'notYourSessionKey',
          'badQty',
          'badPrice',
          'amountNotPositive',
          ...CANCEL_ERRORS,
        ],
        explains: [
          { schema: OrderRequestSchema, has: ['seriesId'] },
          { schema: CancelOrderRequestSchema, has: ['orderId'] },
          { schema: MarginRequestSchema, has: ['enabled'] },
          { schema: WithdrawRequestSchema, has: ['amountUsd'] },
          { schema: CancelRequestSchema, has: [] },
          { schema: SessionRequestSchema, has: ['address', 'expiresAt'] },
          { schema: SessionRevokeRequestSchema, has: ['address'] },
        ],
      },
      handle: ({ body }) =>
        isOfWallet(body) ? explainSession(services, body) : explainWrite(services, body),
    }),
  ];
}

/** Returns whether the wallet signs it: approvals and revocations, which have no nonce. */
function isOfWallet(body: Record<string, unknown>): boolean {
  return 'address' in body && !('nonce' in body);
}

async function explainWrite(services: Services, body: Record<string, unknown>): Promise<Explanation> {
  const text = 'actions' in body ? batchText(services, body) : textOf(body);
  const fields = signingFieldsOf(body) ?? refuse('signatureFieldsRequired');
  const explanation = await explainEnvelope(services, { fields, text });
  return isRefused(explanation) ? refuse(explanation.refusal) : explanation;
}

/**
 * A field unique to each kind of write, with its schema and envelope. A request with none of the fields is a cancel.
 */
const WRITES = [
  kind('seriesId', OrderRequestSchema, orderText),
  kind('orderId', CancelOrderRequestSchema, cancelOrderText),
  kind('enabled', MarginRequestSchema, marginText),
  kind('amountUsd', WithdrawRequestSchema, withdrawText),
] as const;
const CANCEL = kind('symbols', CancelRequestSchema, cancelText);

function kind<Body extends TObject>(field: string, schema: Body, text: (body: Static<Body>) => EnvelopeText) {
  const check = compileCheck('body', unsignedPart(schema));
  const textOf = (body: unknown): EnvelopeText => {
    const fault = check(body);
    if (fault !== null) throw new HttpError(fault);
    return text(body as Static<Body>);
  };
  return { field, textOf };
}

function textOf(body: Record<string, unknown>): EnvelopeText {
  const write = WRITES.find(({ field }) => field in body) ?? CANCEL;
  return write.textOf(body);
}

/** A batch names its venue too (VEN-1). */
function batchText({ state: { venue } }: Services, body: object): EnvelopeText {
  const actions = actionsOf(body);
  if (venue === null) refuse('notYetUpgraded');
  return (fields) => batchEnvelope({ ...fields, venue, actions });
}

const checkApproval = compileCheck('body', SessionRequestSchema);
const checkRevocation = compileCheck('body', SessionRevokeRequestSchema);

/** The body of an approval or, without an expiry, of a revocation. */
async function explainSession(services: Services, body: Record<string, unknown>): Promise<Explanation> {
  const isApproval = 'expiresAt' in body;
  const fault = (isApproval ? checkApproval : checkRevocation)(body);
  if (fault !== null) throw new HttpError(fault);
  const { signature, ...named } = body as Static<typeof SessionRequestSchema>;
  const address = addressField('address', named.address);
  const text = isApproval
    ? sessionApprovalMessage(approvalTerms(named))
    : sessionRevokeMessage(
        termsInForce(services.state, address, addressField('sessionKey', named.sessionKey)),
      );
  return {
    text,
    digest: `0x${Buffer.from(personalDigest(text)).toString('hex')}`,
    recovered: await services.verifier.recover(text, signature),
    expected: address,
  };
}
