/** `venue init`, a certificate and nginx, by the commands of the page on deployment. */

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { skipBecause } from '../faults/machine.ts';
import { DeployedRoot, NAME } from './deployed-root.ts';
import { blocksUnder } from './drills-machine.ts';
import { whyNoEdge } from './edge-server.ts';

describe('the edge as docs/how-to/deploy.md sets it up', { skip: skipBecause(whyNoEdge()) }, () => {
  const root = new DeployedRoot();
  after(() => root.remove());

  test('CFG-7: settings, certificate and nginx by the commands of the page: --check finds nothing wrong at their end', async () => {
    const page = 'how-to/deploy.md';
    const [settings] = blocksUnder(page, 'Settings');
    const edge = [...blocksUnder(page, 'A certificate'), ...blocksUnder(page, 'The edge')].join('\n');
    const said = await root.type(`${settings}\n${edge}`);
    assert.ok(
      said
        .split('\n')
        .some((line) => line.startsWith(`ok    nginx: the certificate for ${NAME} is good for`)),
      said,
    );
    const [, webroot] = /--webroot-path (\S+)/.exec(edge)!;
    assert.match(root.read('etc/nginx/nginx.conf'), new RegExp(`acme-challenge/ \\{[^}]* root ${webroot};`));
  });
});
