/**
 * A root in a folder of its own, on which commands of the pages on deployment run unchanged but for their folders. Where
 * the page has an authority, there is a certificate of our own, and nothing is installed or started.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The name under which clients reach the venue. */
export const NAME = 'options.example.org';

const PROGRAMS: Readonly<Record<string, string>> = {
  venue: `[ "$1" != init ] || set -- "$@" --root ROOT
exec ${process.execPath} ${join(ROOT, 'packages/cli/src/main.ts')} "$@"`,
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

export class DeployedRoot {
  readonly folder = mkdtempSync(join(tmpdir(), 'venue-root-'));

  constructor() {
    for (const folder of ['opt/venue', 'etc/nginx', 'bin', 'root'])
      mkdirSync(this.path(folder), { recursive: true });
    symlinkSync(ROOT, this.path('opt/venue/current'));
    for (const [name, text] of Object.entries(PROGRAMS)) {
      const script = `#!/bin/sh\nset -eu\n${text.replaceAll('ROOT', this.folder)}`;
      writeFileSync(this.path(join('bin', name)), script, { mode: 0o755 });
    }
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Runs commands as root types them in its home folder. Resolves with their output; rejects where one fails. */
  async type(commands: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const moved = commands.replaceAll(/\/(etc|opt)\/(nginx|venue)/g, `${this.folder}/$1/$2`);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', moved], {
      cwd: this.path('root'),
      env: {
        PATH: `${this.path('bin')}:${process.env.PATH}`,
        HOME: this.path('root'),
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        ...{ NAME, MAIL: 'ops@example.org' },
        ...variables,
      },
    }).catch((error: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${commands}\n${error.stdout}${error.stderr}`);
    });
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
