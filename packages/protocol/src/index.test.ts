// @seconds 6

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';

it('the main entry point loads no schema library and no private-key code, so browsers can import it', async () => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      loaded.push(url);
      return nextLoad(url, context);
    },
  });
  const door = await import('./index.ts');
  hooks.deregister();
  assert.ok(loaded.some((url) => url.endsWith('/units.ts')));
  assert.deepEqual(
    loaded.filter((url) => /typebox|\/wire\/|\/signing\.ts/.test(url)),
    [],
  );
  assert.equal(door.MESSAGES.notFound.status, 404);
});
