import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toMicros } from '../units.ts';
import { malformed, required } from './fields.ts';
import { insufficientWithdrawable, MESSAGES } from './messages.ts';
import {
  houseLineExceeded,
  insufficientBuyingPower,
  insufficientMargin,
  REJECT,
  type RejectReason,
} from './reasons.ts';
import { codeOf, type PublicError } from './refusal.ts';

const DASH = '\u2014';

/** Every text and status that clients depend on, written out a second time. */
const KNOWN: readonly (readonly [keyof typeof MESSAGES, number, string])[] = [
  ['badSignature', 401, 'bad signature'],
  ['approvalNotByAccount', 401, 'approval was not signed by the account it names'],
  ['badExpiry', 401, 'expiry must be in the future and within 30 days'],
  ['unknownSessionKey', 401, 'unknown or revoked session key'],
  ['sessionExpired', 401, `session expired ${DASH} approve a new one`],
  ['nonceOutsideWindow', 401, 'nonce outside the accepted window'],
  ['nonceUsed', 401, 'nonce already used'],
  ['fieldHasNewline', 401, 'field contains a newline'],
  ['mustBeSigned', 401, `this request must be signed ${DASH} approve a trading session`],
  ['signatureFieldsRequired', 400, 'nonce and signature required with sessionKey'],
  ['tooManyInFlight', 429, `too many orders in flight ${DASH} retry`],
  ['noChallenge', 401, 'no challenge'],
  ['challengeExpired', 401, 'challenge expired'],
  ['bodyTooLarge', 413, 'request body too large'],
  ['notFound', 404, 'not found'],
  ['unknownSeries', 404, 'unknown series'],
  ['marginShortExposure', 400, 'margin cannot be turned off while short exposure exists'],
  ['depositConflict', 409, 'deposit conflict'],
  ['noQuoteSession', 409, 'no live quote session'],
  ['wrongCredential', 403, 'wrong credential'],
  ['notYourSessionKey', 403, 'not your session key'],
  ['tooManySessions', 400, 'too many sessions'],
  ['amountNotPositive', 400, 'amount must be positive'],
  ['tooManyWithdrawals', 400, 'too many outstanding withdrawals'],
  ['accountFrozen', 400, `account frozen ${DASH} no linked wallet address`],
  ['internal', 500, 'internal error'],
  ['historyUnavailable', 500, 'history unavailable'],
  ['badQty', 400, 'bad qty'],
  ['badPrice', 400, 'bad price'],
];

describe('error messages', () => {
  for (const [name, status, error] of KNOWN) {
    it(`${status} ${error}`, () => {
      assert.deepEqual(MESSAGES[name], { status, error, code: codeOf(name) });
    });
  }

  it('FINE-8 FINE-13 PAY-2 every message is one line, has a status of the contract and no duplicate', () => {
    const all: readonly PublicError[] = Object.values(MESSAGES);
    for (const { status, error } of all) {
      assert.ok([400, 401, 403, 404, 409, 413, 415, 429, 500].includes(status), error);
      assert.match(error, /^[A-Za-z][\x20-\x7e\u2014]+$/);
    }
    assert.equal(new Set(all.map(({ error }) => error)).size, all.length);
  });

  it('only full memory answers 429, only a fault of the service 500', () => {
    const all: readonly PublicError[] = Object.values(MESSAGES);
    assert.deepEqual(
      all.filter(({ status }) => status === 429).map(({ error }) => error),
      ['too many orders in flight — retry'],
    );
    assert.deepEqual(
      all.filter(({ status }) => status >= 500).map(({ error }) => error),
      ['history unavailable', 'internal error'],
    );
  });

  it('messages name the malformed field', () => {
    assert.deepEqual(required('seriesId'), {
      status: 400,
      error: 'seriesId required',
      code: 'field-required',
    });
    assert.deepEqual(malformed('qty'), { status: 400, error: 'qty malformed', code: 'field-malformed' });
  });

  it('PAY-2 a withdrawal past the balance names both amounts', () => {
    assert.deepEqual(
      insufficientWithdrawable({ needMicros: toMicros(12_500_000), haveMicros: toMicros(-1_000_000) }),
      {
        status: 400,
        error: 'insufficient withdrawable balance (need ~12.50, have -1.00)',
        code: 'insufficient-withdrawable',
      },
    );
  });
});

describe('ORD-1 reject reasons', () => {
  it('ORD-1 reasons without numbers, in the order of the checks', () => {
    assert.deepEqual(Object.values(REJECT), [
      'unknown series',
      'series settled',
      'series expired',
      'bad qty',
      'bad price',
      `account frozen ${DASH} no linked wallet address`,
      'insufficient cash',
      `margin call ${DASH} reduce-only (buy back shorts)`,
      'account equity depleted',
      'no liquidity',
      `margin is off ${DASH} enable margin to sell short`,
    ]);
  });

  const amounts = { needMicros: toMicros(12_499_999), haveMicros: toMicros(3_000_000) };
  const house = { needMicros: toMicros(1), headroomMicros: toMicros(10_000_000_000_000) };
  const table: readonly (readonly [RejectReason, string])[] = [
    [insufficientBuyingPower(amounts), 'insufficient buying power (need ~12.50, have 3.00)'],
    [insufficientMargin(amounts), 'insufficient margin for short (need ~12.50, have 3.00)'],
    [houseLineExceeded(house), 'house line exceeded (need ~0.00, headroom 10000000.00)'],
  ];
  for (const [reason, text] of table) {
    it(`ORD-1 ${text}`, () => {
      assert.equal(reason, text);
    });
  }
});
