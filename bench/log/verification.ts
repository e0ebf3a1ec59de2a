/**
 * How many signed requests a second does the exchange verify, compared with the bare native library in a plain loop,
 * and how long does its event loop wait meanwhile?
 *
 * The verifier is driven like by the HTTP edge: a fixed number of requests outstanding, each replaced once it is
 * answered. Every answer is checked.
 */

import assert from 'node:assert/strict';
import { cpus } from 'node:os';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Address,
  type Hex,
  orderEnvelope,
  parseSignature,
  personalDigest,
  toMicros,
} from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import { loadRecovery, openVerifier } from '@venue/replay';

const REQUESTS = 1_024;
const KEYS = 64;
const OUTSTANDING = 256;
const ROUND_MS = 3_000;
const WARM_UP_MS = 1_000;

interface Request {
  readonly text: string;
  readonly signature: Hex;
  readonly signer: Address;
}

export async function run(): Promise<void> {
  const requests = signedRequests();
  printEnvironment();
  await bareNative(requests);
  await inLoop('our recovery in a plain loop, native', 'native', requests);
  await inLoop('our recovery in a plain loop, JavaScript', 'javascript', requests);
  const idle = await loopDelayDuring(() => sleep(ROUND_MS));
  console.log(`event loop delay, idle                     ${idle}`);
  await throughVerifier('native', requests);
  await throughVerifier('javascript', requests);
}

function signedRequests(): Request[] {
  const keys = Array.from(
    { length: KEYS },
    (_, index): Hex => `0x${(index + 1).toString(16).padStart(64, '0')}`,
  );
  return Array.from({ length: REQUESTS }, (_, index) => {
    const key = keys[index % KEYS]!;
    const signer = addressOfPrivateKey(key);
    const text = orderEnvelope({
      account: signer,
      seriesId: 'AAPL-1764374400-C-190',
      side: index % 2 === 0 ? 'buy' : 'sell',
      qtyMicros: toMicros(1_000_000 + index),
      priceMicros: toMicros(2_500_000),
      nonce: 1_700_000_000_000 + index,
    });
    return { text, signature: signPersonal(text, key), signer };
  });
}

function printEnvironment(): void {
  const { length, 0: cpu } = cpus();
  console.log(
    `node ${process.version}, ${length} x ${cpu?.model ?? 'unknown'}, ${process.platform} ${process.arch}`,
  );
  console.log(`${REQUESTS} requests by ${KEYS} keys, ${OUTSTANDING} outstanding, ${ROUND_MS} ms a round`);
}

/** The library's rate for prepared digests and signatures, on this thread. */
async function bareNative(requests: readonly Request[]): Promise<void> {
  const { default: secp256k1 } = await import('secp256k1/bindings.js');
  const ready = requests.map(({ text, signature }) => {
    const digest = personalDigest(text);
    const { compact, recovery } = parseSignature(signature)!;
    const publicKey = secp256k1.ecdsaRecover(compact, recovery, digest, false);
    return { digest, compact, recovery, publicKey };
  });
  report(
    'bare library, recover',
    loopRate(ready, (one) => {
      const recovered = secp256k1.ecdsaRecover(one.compact, one.recovery, one.digest, false);
      assert.equal(recovered[64], one.publicKey[64]);
    }),
  );
  report(
    'bare library, verify (takes either v)',
    loopRate(ready, (one) => {
      assert.equal(secp256k1.ecdsaVerify(one.compact, one.digest, one.publicKey), true);
    }),
  );
}

async function inLoop(name: string, implementation: 'native' | 'javascript', requests: readonly Request[]) {
  const { recover } = await loadRecovery(implementation);
  report(
    name,
    loopRate(requests, ({ text, signature, signer }) => {
      assert.equal(recover(text, parseSignature(signature)!), signer);
    }),
  );
}

async function throughVerifier(implementation: 'native' | 'javascript', requests: readonly Request[]) {
  const verifier = await openVerifier({ implementation });
  const verifyOne = async (index: number) => {
    const { text, signature, signer } = requests[index % REQUESTS]!;
    assert.equal(await verifier.verify(text, signature, signer), true);
  };
  await drive(verifyOne, WARM_UP_MS);
  let rate = 0;
  const delay = await loopDelayDuring(async () => {
    rate = await drive(verifyOne, ROUND_MS);
  });
  await verifier.close();
  report(`verifier, ${verifier.implementation}`, rate);
  console.log(`  event loop delay meanwhile               ${delay}`);
}

/** Requests a second, with `OUTSTANDING` in flight throughout. */
async function drive(verifyOne: (index: number) => Promise<void>, durationMs: number): Promise<number> {
  const startMs = performance.now();
  let next = 0;
  const client = async () => {
    while (performance.now() - startMs < durationMs) await verifyOne(next++);
  };
  await Promise.all(Array.from({ length: OUTSTANDING }, client));
  return (next * 1_000) / (performance.now() - startMs);
}

function loopRate<T>(items: readonly T[], work: (item: T) => void): number {
  loopFor(items, work, WARM_UP_MS);
  return loopFor(items, work, ROUND_MS);
}

function loopFor<T>(items: readonly T[], work: (item: T) => void, durationMs: number): number {
  const startMs = performance.now();
  let count = 0;
  while (performance.now() - startMs < durationMs) work(items[count++ % items.length]!);
  return (count * 1_000) / (performance.now() - startMs);
}

/** Delay of 1 ms timers, in milliseconds. */
async function loopDelayDuring(work: () => Promise<unknown>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) =>
    (ns / 1e6).toFixed(2),
  );
  return `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;
}

function report(name: string, perSecond: number): void {
  console.log(`${name.padEnd(42)} ${Math.round(perSecond).toLocaleString('en').padStart(7)} /s`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
