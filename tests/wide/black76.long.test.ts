/** The formula that marks rest on, evaluated by a browser: the same bits as in Node. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild-dev';
import { chromiumMissing, startBrowser } from './browser.ts';

const PROTOCOL = new URL('../../packages/protocol/', import.meta.url);

test('RSK-2 Chromium gives the formula the bits of the committed vectors', {
  skip: chromiumMissing() ?? false,
}, async () => {
  const { count, digest } = JSON.parse(readFileSync(new URL('vectors/black76.json', PROTOCOL), 'utf8'));
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('test/black76-vectors.ts', PROTOCOL))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'vectors',
  });
  await using ends = new AsyncDisposableStack();
  const browser = ends.adopt(await startBrowser(), (started) => started.close());
  const page = await browser.newPage();
  assert.equal(await page.evaluate(`${outputFiles[0]!.text}; vectors.digestOfVectors(${count})`), digest);
});
