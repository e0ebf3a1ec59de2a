import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isRefused } from '@venue/engine';
import { cancelEnvelope } from '@venue/protocol';
import { openVerifier, type Verifier } from '@venue/replay';
import { hashMessage } from 'viem';
import {
  ALICE,
  BOB,
  marginOn,
  SESSION,
  START_MS,
  STRANGER,
  signed,
  TestVenue,
} from '../../test/auth-venue.ts';
import { explainEnvelope } from './explain-envelope.ts';

let verifier: Verifier;
before(async () => {
  verifier = await openVerifier({ workers: 1 });
});
after(() => verifier.close());

function depsOf(venue: TestVenue) {
  return { state: venue.state, now: () => venue.nowMs, verifier };
}

function approved(): TestVenue {
  const venue = new TestVenue();
  venue.approve(ALICE, SESSION.address);
  return venue;
}

describe('the explanation of an envelope', () => {
  test('shows text, digest and signer of a valid request, for the matching account', async () => {
    const venue = approved();
    venue.approve(BOB, SESSION.address);
    const answer = await explainEnvelope(depsOf(venue), signed({ account: BOB }));
    assert.ok(!isRefused(answer));
    assert.equal(answer.text, `Venue margin v1\naccount: ${BOB}\nenabled: true\nnonce: ${START_MS}`);
    assert.equal(answer.recovered, SESSION.address);
    assert.equal(answer.expected, SESSION.address);
    assert.equal(answer.digest, hashMessage(answer.text));
  });

  test('shows the actual signer, even when the nonce is long past', async () => {
    const answer = await explainEnvelope(depsOf(approved()), signed({ key: STRANGER, nonce: 1 }));
    assert.ok(!isRefused(answer));
    assert.deepEqual([answer.recovered, answer.expected], [STRANGER.address, SESSION.address]);
  });

  test('recovers nobody from a malformed signature, and explains no impossible text', async () => {
    const { fields } = signed();
    const shapeless = { fields: { ...fields, signature: '0x' }, text: marginOn };
    const answer = await explainEnvelope(depsOf(approved()), shapeless);
    assert.equal(!isRefused(answer) && answer.recovered, null);
    assert.deepEqual(
      await explainEnvelope(depsOf(approved()), {
        fields,
        text: (given) => cancelEnvelope({ ...given, symbols: ['BTC\n'] }),
      }),
      {
        refusal: 'fieldHasNewline',
      },
    );
    assert.deepEqual(await explainEnvelope(depsOf(new TestVenue()), signed()), {
      refusal: 'unknownSessionKey',
    });
  });
});
