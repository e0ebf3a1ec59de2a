/**
 * Runs the documentation's commands on a fresh Debian, made by debootstrap in a new folder from this machine's apt
 * mirror. Needs root and the Debian package debootstrap, and takes minutes.
 *
 *   node_modules/.bin/node scripts/clean-root.ts bookworm
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePort } from '../tests/e2e/launched.ts';
import { blocksUnder } from '../tests/wide/drills-machine.ts';

const PAGE = 'how-to/deploy.md';
/** The heading whose commands come first. */
const RELEASES: Readonly<Record<string, string>> = { bookworm: 'On Debian 12', trixie: 'On Debian 13' };
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const CERTIFICATES = '/usr/local/share/ca-certificates';
/** Installs what every machine has, but a root made by debootstrap does not. */
const OF_EVERY_MACHINE = `export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends systemd >/dev/null`;
/** Starts the exchange like its unit does. */
const AS_THE_UNIT = `cd /opt/venue/current
set -a
eval "$(sed -n 's/^Environment=//p' deploy/systemd/venue-exchange.service | sed 's#%d#/etc/venue/secrets#')"
set +a
mkdir -p /var/lib/venue-exchange
exec node_modules/.bin/node packages/cli/src/main.ts exchange`;
const START_LIMIT_MS = 600_000;

const [release = ''] = process.argv.slice(2);
const first = RELEASES[release];
if (first === undefined || userInfo().uid !== 0) {
  console.error(`clean-root: needs root, and one of ${Object.keys(RELEASES).join(', ')}`);
  process.exit(1);
}
const root = mkdtempSync(join(tmpdir(), `venue-${release}-`));
try {
  await tried(root, first);
  console.log(`clean-root: ${release} does what the documentation says`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function tried(root: string, first: string): Promise<void> {
  said('debootstrap');
  execFileSync('debootstrap', ['--variant=minbase', release, root, mirror()], { stdio: 'ignore' });
  mkdirSync(join(root, 'source'));
  execFileSync('git', ['clone', '--quiet', '--bare', REPOSITORY, join(root, 'source/venue.git')]);
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  mkdirSync(join(root, CERTIFICATES), { recursive: true });
  for (const path of globSync(`${CERTIFICATES}/*.crt`))
    copyFileSync(path, join(root, CERTIFICATES, basename(path)));
  const port = String(await freePort());
  const type = (script: string) => typed(root, script, port);
  await type(OF_EVERY_MACHINE);
  for (const block of blocksUnder(PAGE, first)) await type(block);
  await type('git clone "$SOURCE" /root/venue');
  await serves(root, 'cd /root/venue\nexec npm start', port);
  for (const heading of ['Install', 'Settings']) await type(blocksUnder(PAGE, heading)[0]!);
  // Without a running systemd nothing is started, so its answer is asked for below.
  for (const block of blocksUnder(PAGE, 'Start'))
    await type(block.replace('enable --now', 'enable').replace(/^curl .*$/m, ''));
  await serves(root, AS_THE_UNIT, port);
}

/** The Debian mirror of this machine. */
function mirror(): string {
  const addresses = execFileSync(
    'apt-get',
    ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Label: Debian'],
    { encoding: 'utf8' },
  );
  return addresses.split('\n')[0]!;
}

async function typed(root: string, script: string, port: string): Promise<void> {
  said(script);
  const child = inRoot(root, script, port);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`ended with ${code}`);
}

/** Waits until the exchange is healthy, then stops it. */
async function serves(root: string, script: string, port: string): Promise<void> {
  said(script);
  const child = inRoot(root, script, port);
  const ended = once(child, 'exit');
  const isWell = async () => {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      (response) => response.json() as Promise<{ ok: boolean }>,
      () => undefined,
    );
    return answer?.ok;
  };
  await eventually('/healthz says that all is well', isWell, START_LIMIT_MS);
  said('/healthz says that all is well');
  child.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`a clean stop ended with ${code}`);
}

/** With /proc, which is unmounted when the process ends, and the network, but without this process's environment. */
function inRoot(root: string, script: string, port: string) {
  const enter = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  const environment = [
    'HOME=/root',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'SOURCE=/source/venue.git',
    `VENUE_PORT=${port}`,
    'NAME=venue.example.org',
    'DEBIAN_FRONTEND=noninteractive',
    'SYSTEMD_OFFLINE=1',
    `NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt`,
  ];
  const words = ['/usr/bin/env', '-i', ...environment, 'bash', '-euo', 'pipefail', '-c', script];
  return spawn('unshare', ['--mount', 'sh', '-c', enter, root, ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function said(what: string): void {
  console.log(`\n\u2014 ${what.trim()}`);
}
