import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressBar } from './verify-progress.ts';

function bar(isTTY: boolean) {
  const written: string[] = [];
  let nowMs = 5_000;
  const output = { isTTY, write: (text: string) => written.push(text) };
  const progress = progressBar('verify', output, () => nowMs);
  const at = (ms: number, seq: number, toSeq: number | null = 200) => {
    nowMs = 5_000 + ms;
    progress.onProgress({ seq, fromSeq: 101, toSeq: toSeq ?? undefined });
  };
  return { written, at, end: () => progress.end() };
}

test('on a terminal it is a bar, redrawn at most every 100 ms, and removed at the end', () => {
  const { written, at, end } = bar(true);
  at(0, 101);
  at(50, 110);
  at(500, 150);
  end();
  assert.equal(written.length, 3);
  assert.equal(
    written[1],
    '\r\x1b[K[###############...............] verify entry 150 of 200, 50.0 %, 100 entries/s',
  );
  assert.equal(written[2], '\r\x1b[K');
});

test('elsewhere it is one line a second, and none for quick reads', () => {
  const { written, at, end } = bar(false);
  at(900, 150);
  end();
  assert.deepEqual(written, []);
  at(1_000, 160);
  at(1_900, 170);
  at(2_000, 200);
  assert.deepEqual(written, [
    'verify entry 160 of 200, 60.0 %, 60 entries/s\n',
    'verify entry 200 of 200, 100.0 %, 50 entries/s\n',
  ]);
});

test('without a known end it shows how far it is', () => {
  const { written, at } = bar(false);
  at(2_000, 300, null);
  assert.deepEqual(written, ['verify entry 300, 100 entries/s\n']);
});
