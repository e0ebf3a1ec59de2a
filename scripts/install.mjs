// Runs under the machine's own Node (20 or later), before the pinned one is installed: plain JavaScript, no
// dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const NODE_MAJOR_MIN = 20;

function fail(message) {
  console.error(`venue: ${message}`);
  process.exit(1);
}

function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

/**
 * True when every package in the lock file is installed in node_modules at its locked version (except optional ones),
 * and each of our own is linked.
 */
function installed() {
  const locked = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (!locked || !present) return false;
  return Object.entries(locked).every(
    ([path, entry]) =>
      !path.startsWith('node_modules/') ||
      entry.optional ||
      (entry.link ? present[path] !== undefined : present[path]?.version === entry.version),
  );
}

function pinnedNodeRuns() {
  const version = JSON.parse(readFileSync('package.json', 'utf8')).dependencies.node;
  const found = spawnSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' });
  return found.stdout?.trim() === `v${version}`;
}

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  fail(`Node ${NODE_MAJOR_MIN} or later is needed to install; this is ${process.version}`);
}
if (!installed() || !pinnedNodeRuns()) {
  console.error('venue: installing dependencies (once, about half a minute) …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (npm.status !== 0) fail('npm ci failed; see above. Check the network and the registry, then try again');
  if (!pinnedNodeRuns()) {
    fail(
      'the pinned Node did not install: allow install scripts for the package "node" (npm ci --ignore-scripts=false)',
    );
  }
}
