import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { buildTerminal } from '../build.ts';

interface Manifest {
  readonly id: string;
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose: string }[];
}

describe('the built terminal, to be installed', () => {
  let folder: string;
  before(async () => {
    ({ folder } = await buildTerminal());
  });

  it('has a manifest that its page names, with icons of the sizes that browsers ask for (INST-1)', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const [, address] = /<link rel="manifest" href="([^"]+)"/.exec(page)!;
    const manifest = JSON.parse(readFileSync(join(folder, address!), 'utf8')) as Manifest;
    assert.deepEqual([manifest.id, manifest.start_url, manifest.display], ['/', '/', 'standalone']);
    const kinds = manifest.icons.map(({ src, sizes, purpose }) => {
      const png = readFileSync(join(folder, src));
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      assert.equal(`${width}x${height}`, sizes, src);
      // Only names with the hash of their content may be kept for good.
      assert.match(src, /^\/assets\/[\w-]+-[\w-]{8}\.png$/);
      return `${sizes} ${purpose}`;
    });
    assert.deepEqual(kinds, ['192x192 any', '512x512 any', '512x512 maskable']);
    const [, apple] = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(page)!;
    assert.equal(readFileSync(join(folder, apple!)).readUInt32BE(16), 180);
  });

  it("has a service worker that knows the trader's page and every file it may load, and none of the operators' (INST-2)", () => {
    const worker = readFileSync(join(folder, 'assets/service-worker.js'), 'utf8');
    const files = [...new Set(worker.match(/\/assets\/[\w.-]+-[\w-]{8}\.\w+/g))];
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    for (const [file] of page.matchAll(/\/assets\/[\w.-]+\.(?:js|css|woff2|svg)/g))
      assert.ok(files.includes(file), file);
    for (const file of files) {
      assert.ok(existsSync(join(folder, file)), file);
      // Whatever a script of the page loads later is there as well.
      if (!file.endsWith('.js')) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      for (const [, loaded] of text.matchAll(/import\(["'`]\.\/([\w.-]+\.js)["'`]\)/g))
        assert.ok(files.includes(`/assets/${loaded}`), `${file} loads ${loaded}`);
    }
    assert.ok(files.some((file) => file.includes('/panels-')));
    assert.ok(!files.some((file) => file.includes('/admin')));
  });
});
