import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { MESSAGES, type PublicError } from '@venue/protocol';
import { addressOfPrivateKey } from '@venue/protocol/signing';
import { freePort } from '../../../log/test/free-port.ts';
import { pause } from '../net/backoff.ts';
import { Transport } from '../net/transport.ts';
import { Credentials } from '../sign/credentials.ts';
import { randomPrivateKey, type Session } from '../sign/wallet.ts';
import { type LostWrite, Outcomes, type OutcomeUnknownError } from './outcome.ts';
import type { Trace } from './traces.ts';

/** The venue's reaction to an attempt to spend a nonce. */
type Reply = (response: ServerResponse) => void;

const answer = (status: number, body: object, headers: object = {}): Reply => {
  return (response) => response.writeHead(status, { ...headers }).end(JSON.stringify(body));
};
const refusal = ({ status, error, code }: PublicError): Reply =>
  answer(status, { error }, { 'x-venue-code': code });
const TAKEN = answer(200, { ok: false });
const SPENT = refusal(MESSAGES.nonceUsed);
const EXPIRED = refusal(MESSAGES.nonceOutsideWindow);
const BROKEN = refusal(MESSAGES.internal);
const BUSY = answer(429, { error: 'too many requests' }, { 'retry-after': '1' });
const LOST: Reply = (response) => response.destroy();

let replies: Reply[] = [];
let nonces: number[] = [];
const venue: RequestListener = async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  if (request.url !== '/v1/order/cancel') return answer(200, { openOrders: [], fills: [] })(response);
  const { nonce } = JSON.parse(body);
  // A mark has a nonce of its own.
  if (nonce !== NONCE) return TAKEN(response);
  nonces.push(nonce);
  return (replies.shift() ?? LOST)(response);
};

async function listen(port = 0): Promise<Server> {
  const server = createServer(venue);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;

let server: Server;
before(async () => {
  server = await listen();
});
after(() => server.close());

const privateKey = randomPrivateKey();
const sessionKey = addressOfPrivateKey(privateKey);
const session: Session = {
  account: sessionKey,
  privateKey,
  sessionKey,
  expiresAtMs: Number.MAX_SAFE_INTEGER,
};

const NONCE = 1_700_000_000_000;

function lost(
  signed: LostWrite['signed'],
  { port = portOf(server), shown = 'unclear' as Trace } = {},
): Promise<OutcomeUnknownError> {
  const transport = new Transport({ url: `http://127.0.0.1:${port}` });
  const outcomes = new Outcomes({ transport, credentials: new Credentials(), renew: async () => {} });
  const cause = new Error('lost');
  const trace = async () => shown;
  return outcomes.of({ path: '/v1/margin', trace, signed, sentAtMs: Date.now(), cause });
}

/** The verdicts of successive checks on a signed write, while the venue shows this of it and replies by this script. */
async function verdicts(shown: Trace, looks: number, ...script: Reply[]): Promise<string[]> {
  replies = [...script];
  nonces = [];
  let error = await lost({ session, nonce: NONCE }, { shown });
  const found = [error.verdict as string];
  while (found.length < looks) {
    error = await error.lookAgain();
    found.push(error.verdict);
  }
  assert.deepEqual(
    nonces,
    script.map(() => NONCE),
  );
  return found;
}

test('SIG-4: a nonce that the venue takes decides, and a known verdict is not requested again', async () => {
  assert.deepEqual(await verdicts('done', 2, TAKEN), ['not carried out', 'not carried out']);
});

test('CID-1: a used nonce proves nothing: what the venue shows decides', async () => {
  assert.deepEqual(await verdicts('done', 2, SPENT), ['carried out', 'carried out']);
  assert.deepEqual(await verdicts('undone', 2, SPENT), ['not carried out', 'not carried out']);
  assert.deepEqual(await verdicts('unclear', 2, SPENT, SPENT), ['unknown', 'unknown']);
});

test('SIG-4: while the check may still be under way, only an effect proves anything', async () => {
  for (const unclear of [LOST, BROKEN]) {
    assert.deepEqual(await verdicts('done', 1, unclear), ['carried out']);
    assert.deepEqual(await verdicts('undone', 2, unclear, SPENT), ['unknown', 'not carried out']);
    assert.deepEqual(await verdicts('undone', 2, unclear, TAKEN), ['unknown', 'not carried out']);
  }
});

test('SIG-5: bytes whose nonce is too old are judged by what the venue shows', async () => {
  assert.deepEqual(await verdicts('unclear', 2, EXPIRED, EXPIRED), ['unknown', 'unknown']);
  assert.deepEqual(await verdicts('undone', 1, EXPIRED), ['not carried out']);
});

test('a check at a bad time waits for as long as it is asked to', async () => {
  const startedMs = performance.now();
  assert.deepEqual(await verdicts('undone', 1, BUSY, SPENT), ['not carried out']);
  // A timer may be a millisecond early by this clock.
  assert.ok(performance.now() - startedMs >= 990);
});

test('a check waits for a venue that is restarting, and has spent nothing meanwhile', async (t) => {
  const port = await freePort();
  replies = [SPENT];
  const outcome = lost({ session, nonce: NONCE }, { port, shown: 'done' });
  await pause(300);
  const started = await listen(port);
  t.after(() => started.close());
  assert.equal((await outcome).verdict, 'carried out');
});

test('an unsigned write has no verdict, and nothing is sent to find one', async () => {
  nonces = [];
  const error = await lost(null);
  assert.deepEqual([error.verdict, (await error.lookAgain()).verdict, nonces], ['unknown', 'unknown', []]);
});
