import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { type Address, type Hex, personalDigest } from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import { loadRecovery } from './recovery.ts';
import { openVerifier, type Verifier } from './verifier.ts';

const KEY: Hex = `0x${'11'.repeat(32)}`;
const SIGNER = addressOfPrivateKey(KEY);
const STRANGER = addressOfPrivateKey(`0x${'22'.repeat(32)}`);
const TEXT = 'Venue margin v1\naccount: 0x00000000000000000000000000000000000a11ce\nenabled: true\nnonce: 1';
const SIGNATURE = signPersonal(TEXT, KEY);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const r = SIGNATURE.slice(2, 66);
const s = SIGNATURE.slice(66, 130);
const v = SIGNATURE.slice(130);
const flippedV = v === '1b' ? '1c' : '1b';

function hex64(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

const ACCEPTED: readonly [string, string][] = [
  ['as wallets post it', SIGNATURE],
  ['upper-case digits', `0x${SIGNATURE.slice(2).toUpperCase()}`],
  ['v of 0 or 1', `0x${r}${s}${v === '1b' ? '00' : '01'}`],
];

const REFUSED: readonly [string, string][] = [
  ['empty', ''],
  ['no 0x', SIGNATURE.slice(2)],
  ['64 bytes', `0x${r}${s}`],
  ['66 bytes', `${SIGNATURE}00`],
  ['half a byte missing', SIGNATURE.slice(0, -1)],
  ['not hex', `0x${'zz'.repeat(65)}`],
  ['a trailing line break', `${SIGNATURE}\n`],
  ['v of 29', `0x${r}${s}1d`],
  ['v of 2', `0x${r}${s}02`],
  ['v of 37, as in transactions', `0x${r}${s}25`],
  ['the other v', `0x${r}${s}${flippedV}`],
  ['high s', `0x${r}${hex64(ORDER - BigInt(`0x${s}`))}${flippedV}`],
  ['zero r', `0x${'0'.repeat(64)}${s}${v}`],
  ['zero s', `0x${r}${'0'.repeat(64)}${v}`],
  ['r of the order', `0x${hex64(ORDER)}${s}${v}`],
  ['r above the order', `0x${'f'.repeat(64)}${s}${v}`],
  // No point on the curve has 5 as its abscissa.
  ['r that is on no point', `0x${hex64(5n)}${s}${v}`],
];

for (const implementation of ['native', 'javascript'] as const) {
  describe(`a verifier in ${implementation}`, () => {
    let verifier: Verifier;
    before(async () => {
      verifier = await openVerifier({ workers: 1, implementation });
    });
    after(() => verifier.close());

    test('reports its implementation', () => assert.equal(verifier.implementation, implementation));

    for (const [name, signature] of ACCEPTED) {
      test(`SIG-1: accepts ${name}`, async () => {
        assert.equal(await verifier.recover(TEXT, signature), SIGNER);
        assert.equal(await verifier.verify(TEXT, signature, SIGNER), true);
        assert.equal(await verifier.verify(TEXT, signature, STRANGER), false);
      });
    }

    for (const [name, signature] of REFUSED) {
      test(`SIG-1: refuses ${name}`, async () => {
        assert.equal(await verifier.verify(TEXT, signature, SIGNER), false);
        assert.equal(await verifier.verify(TEXT, signature, SIGNER), false, 'also when asked again');
        assert.notEqual(await verifier.recover(TEXT, signature), SIGNER);
      });
    }

    test('SIG-1: refuses a signature with any byte changed', async () => {
      const changed = Array.from({ length: 65 }, (_, index) => withByteChanged(SIGNATURE, index));
      const verdicts = await Promise.all(changed.map((one) => verifier.verify(TEXT, one, SIGNER)));
      assert.deepEqual(verdicts, new Array(65).fill(false));
    });

    test('SIG-1: refuses a text with any character changed', async () => {
      const changed = Array.from(TEXT, (_, index) => `${TEXT.slice(0, index)}\u0000${TEXT.slice(index + 1)}`);
      const verdicts = await Promise.all(changed.map((one) => verifier.verify(one, SIGNATURE, SIGNER)));
      assert.deepEqual(new Set(verdicts), new Set([false]));
    });

    for (const text of ['', 'Ünïcödé 例え 🙂', 'a\u0000b', 'lone \ud800 surrogate', 'x'.repeat(100_000)]) {
      test(`SIG-2: the length counts bytes: ${JSON.stringify(text.slice(0, 30))}`, async () => {
        assert.equal(await verifier.recover(text, signPersonal(text, KEY)), SIGNER);
      });
    }
  });
}

describe('a verifier under load', () => {
  test('answers each of thousands of mixed questions with its own answer', async () => {
    const verifier = await openVerifier({ workers: 2 });
    const keys = Array.from({ length: 7 }, (_, index): Hex => `0x${hex64(BigInt(index + 1))}`);
    const questions = Array.from({ length: 140 }, (_, index) => {
      const key = keys[index % keys.length]!;
      const text = `question ${index}`;
      return { text, signature: signPersonal(text, key), signer: addressOfPrivateKey(key) };
    });
    const asked = Array.from({ length: 2_800 }, (_, index) => questions[index % questions.length]!);
    const answers = await Promise.all(asked.map(({ text, signature }) => verifier.recover(text, signature)));
    assert.deepEqual(
      answers,
      asked.map(({ signer }) => signer),
    );
    await verifier.close();
  });

  test('bounds its queue and refuses beyond it immediately', async () => {
    const verifier = await openVerifier({ workers: 1, queueMax: 64 });
    const asked = Array.from({ length: 200 }, () => verifier.recover(TEXT, SIGNATURE));
    const refusal = await Promise.any(
      asked.map((answer) =>
        answer.then(
          () => Promise.reject(new Error('answered')),
          (error: Error) => error,
        ),
      ),
    );
    assert.match(refusal.message, /queue full/);
    const settled = await Promise.allSettled(asked);
    const answered = settled.filter((one) => one.status === 'fulfilled');
    // Signatures that a thread already has are no longer counted as waiting.
    assert.ok(answered.length >= 64 && answered.length < 200, `${answered.length} answered`);
    assert.ok(answered.every((one) => one.value === SIGNER));
    assert.equal(await verifier.recover(TEXT, SIGNATURE), SIGNER, 'has room again');
    await verifier.close();
  });
});

describe('a verifier that ends', () => {
  test('closing answers earlier questions and refuses later ones', async () => {
    const verifier = await openVerifier({ workers: 1 });
    const asked = Array.from({ length: 500 }, () => verifier.recover(TEXT, SIGNATURE));
    const closing = Promise.all([verifier.close(), verifier.close()]);
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([SIGNER]));
    await closing;
    await assert.rejects(verifier.recover(TEXT, SIGNATURE), /closed/);
  });

  test('a thread that dies rejects its questions and the waiting ones, and the process is told', async () => {
    const { verifier, threads, heard } = await openWatched(1);
    const asked = Array.from({ length: 1_000 }, () => verifier.recover(TEXT, SIGNATURE));
    await threads[0]?.terminate();
    const settled = await Promise.allSettled(asked);
    assert.equal(settled.at(-1)?.status, 'rejected');
    assert.deepEqual(heard, ['verification thread exited with code 1']);
    await assert.rejects(verifier.verify(TEXT, SIGNATURE, SIGNER), /exited/);
    await verifier.close();
    assert.equal(heard.length, 1, 'closing is no failure');
  });

  test('a thread that dies idle also ends the verifier and its other threads', async () => {
    const { verifier, threads, heard } = await openWatched(2);
    await threads[0]?.terminate();
    assert.equal(heard.length, 1);
    await assert.rejects(verifier.recover(TEXT, SIGNATURE), /exited/);
    await verifier.close();
  });

  test('without a listener, a thread that dies ends the process', () => {
    const { status, stderr } = runModule(`
      process.on('worker', (thread) => thread.once('message', () => thread.terminate()));
      await openVerifier({ workers: 1 });
      setInterval(() => {}, 1_000);`);
    assert.equal(status, 1);
    assert.match(stderr, /verification thread exited/);
  });
});

test('a process that cannot load native code falls back, says so, and refuses when native is required', () => {
  const script = `
    const verifier = await openVerifier({ workers: 1 });
    const signer = await verifier.recover(${JSON.stringify(TEXT)}, '${SIGNATURE}');
    await verifier.close();
    const fault = await openVerifier({ implementation: 'native' }).catch((error) => error.message);
    console.log(JSON.stringify([verifier.implementation, signer, fault]));`;
  const { stdout } = runModule(script, '--no-addons');
  assert.deepEqual(JSON.parse(stdout), ['javascript', SIGNER, 'native libsecp256k1 does not load']);
});

test('an impossible number of threads is refused', async () => {
  await assert.rejects(openVerifier({ workers: 0 }), /workers must be positive/);
});

test('native and JavaScript recovery agree on random bytes', async () => {
  const [native, javascript] = await Promise.all([loadRecovery('native'), loadRecovery('javascript')]);
  for (let seed = 1; seed <= 60; seed++) {
    const compact = Buffer.concat([personalDigest(`r ${seed}`), personalDigest(`s ${seed}`)]);
    const signature = { compact, recovery: seed % 2 === 0 ? 0 : 1 } as const;
    const signers: (Address | null)[] = [native, javascript].map(({ recover }) =>
      recover(`text ${seed}`, signature),
    );
    assert.equal(signers[0], signers[1], `seed ${seed}`);
  }
});

function withByteChanged(signature: Hex, index: number): string {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  bytes[index] = bytes[index]! ^ 1;
  return `0x${bytes.toString('hex')}`;
}

async function openWatched(workers: number) {
  const threads: Worker[] = [];
  const heard: string[] = [];
  const collect = (thread: Worker) => threads.push(thread);
  process.on('worker', collect);
  const verifier = await openVerifier({ workers, onFailure: (error) => heard.push(error.message) });
  process.off('worker', collect);
  return { verifier, threads, heard };
}

function runModule(script: string, ...flags: string[]) {
  const preamble = `import { openVerifier } from '${new URL('./verifier.ts', import.meta.url).href}';`;
  const args = [...flags, '--eval', preamble + script];
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 });
}
