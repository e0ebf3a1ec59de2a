/** `venue init`, a certificate and nginx, by the commands of the page on deployment. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { skipBecause } from '../faults/machine.ts';
import { blocksUnder } from './drills-machine.ts';
import { whyNoEdge } from './edge-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the edge as docs/how-to/deploy.md sets it up', { skip: skipBecause(whyNoEdge()) }, () => {
  const root = mkdtempSync(join(tmpdir(), 'venue-edge-root-'));
  after(() => rmSync(root, { recursive: true, force: true }));

  test('CFG-7: settings, certificate and nginx by the commands of the page: --check finds nothing wrong at their end', () => {
    const page = 'how-to/deploy.md';
    const [settings] = blocksUnder(page, 'Settings');
    const moved = [settings, ...blocksUnder(page, 'A certificate'), ...blocksUnder(page, 'The edge')]
      .join('\n')
      .replaceAll(/\/(etc|opt)\/(nginx|venue)/g, `${root}/$1/$2`);
    for (const folder of ['opt/venue', 'etc/nginx', 'bin'])
      mkdirSync(join(root, folder), { recursive: true });
    symlinkSync(ROOT, join(root, 'opt/venue/current'));
    for (const [name, text] of Object.entries(PROGRAMS)) {
      const script = `#!/bin/sh\nset -eu\n${text.replaceAll('ROOT', root)}`;
      writeFileSync(join(root, 'bin', name), script, { mode: 0o755 });
    }
    const { NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
    const PATH = `${join(root, 'bin')}:${process.env.PATH}`;
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS,
      NAME: 'options.example.org',
      MAIL: 'ops@example.org',
    };
    const ran = spawnSync('bash', ['-euo', 'pipefail', '-c', moved], { env, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stdout + ran.stderr);
    assert.match(
      ran.stdout,
      /^ok {4}nginx: the certificate for options\.example\.org is good for \d+ days$/m,
    );
    const [, webroot] = /--webroot-path (\S+)/.exec(moved)!;
    const served = readFileSync(join(root, 'etc/nginx/nginx.conf'), 'utf8');
    assert.match(served, new RegExp(`acme-challenge/ \\{[^}]* root ${webroot};`));
  });
});

/** Programs of the page on a root in a folder. In place of an authority there is a certificate of our own. */
const PROGRAMS: Readonly<Record<string, string>> = {
  venue: `exec ${process.execPath} ${join(ROOT, 'packages/cli/src/main.ts')} "$@" --root ROOT`,
  certbot: `[ "$1" = certonly ] || exit 0
folder=ROOT/etc/letsencrypt/live/$NAME
mkdir -p "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$NAME" \\
  -addext "subjectAltName=DNS:$NAME" -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null`,
  nginx: `cp -r ROOT/etc/nginx ROOT/nginx
sed -i 's#/etc/letsencrypt#ROOT/etc/letsencrypt#; s#/var/log/nginx#ROOT#; s#/run/nginx.pid#ROOT/pid#' ROOT/nginx/machine/*.conf
exec /usr/sbin/nginx "$@" -c ROOT/nginx/nginx.conf`,
  systemctl: '',
  'systemd-sysusers': '',
  'apt-get': '',
};
