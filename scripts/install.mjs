/**
 * Installs what is missing: everything, or with `--production` only what running needs, and with `--tracing` what traces
 * need as well. It runs under the machine's own Node (20 or later), before the pinned one is there: plain JavaScript, no
 * dependencies.
 *
 * npm fills a folder beside node_modules, which then takes its place: neither a process that runs from the tree nor an
 * installation that was cut short ever meets half of it (CFG-6).
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const NODE_MAJOR_MIN = 20;
const STAGE = `.install-${process.pid}`;
const PINNED_NODE = 'node_modules/.bin/node';
/** Tried twice more, after a second and after four: npm's own minute would be one for each package. */
const RETRIES = ['--fetch-retry-factor=4', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];
const NO_REGISTRY = 'the registry cannot be reached';
const NOT_ALLOWED = `this user may not write in ${process.cwd()}`;
const CAUSES = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: NOT_ALLOWED,
  ENOTFOUND: NO_REGISTRY,
  EAI_AGAIN: NO_REGISTRY,
  ECONNREFUSED: NO_REGISTRY,
  ENETUNREACH: NO_REGISTRY,
  ETIMEDOUT: NO_REGISTRY,
};

const isProduction = process.argv.includes('--production');
const withTracing = process.argv.includes('--tracing');
/** To npm they are tools, as few venues trace. */
const OF_TRACING = /^node_modules\/@opentelemetry\//;
const MB_NEEDED = isProduction ? 600 : 1_000;

function fail(message) {
  console.error(`venue: ${message}`);
  process.exit(1);
}

function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

const locked = packagesOf('package-lock.json');
const ofPlatform = new RegExp(`^node_modules/node-.*${process.platform}-${process.arch}$`);
const pinnedPackage = Object.keys(locked).find((path) => ofPlatform.test(path));
/** Headers and pages are a third of the pinned Node, and half of viem the same code for `require`, and types. */
const NOT_FOR_RUNNING = [
  `${pinnedPackage}/include`,
  `${pinnedPackage}/share`,
  ...(isProduction ? ['node_modules/viem/_cjs', 'node_modules/viem/_types'] : []),
];

/** The packages that npm put into node_modules. It writes this list last. */
function present() {
  return packagesOf('node_modules/.package-lock.json');
}

/** Which optional packages are needed depends on the platform. The pinned Node always is. */
function isNeeded([path, { optional, dev, devOptional }]) {
  if (!path.includes('node_modules/')) return false;
  if (withTracing && OF_TRACING.test(path)) return true;
  return path === pinnedPackage || !(optional || (isProduction && (dev || devOptional)));
}

function isWhole() {
  const found = present();
  if (found === undefined) return false;
  return Object.entries(locked)
    .filter(isNeeded)
    .every(([path, { version }]) => found[path] !== undefined && found[path].version === version);
}

/** Adding packages changes nothing for a process that loads some of them late; replacing them does. */
function refuseToReplaceUnderRunning() {
  const found = Object.entries(present() ?? {});
  const isKept = ([path, { version }]) => locked[path] !== undefined && locked[path].version === version;
  if (!existsSync('node_modules') || (found.length > 0 && found.every(isKept))) return;
  const ids = processesOfTree();
  if (ids.length > 0)
    fail(
      `node_modules is not what package-lock.json asks for, and process ${ids.join(', ')} runs from it: stop it first`,
    );
}

/** Processes whose program is in this folder, this one aside; none where the system does not tell. */
function processesOfTree() {
  if (!existsSync('/proc')) return [];
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`);
  return ids.filter((id) => {
    try {
      return readlinkSync(`/proc/${id}/exe`).startsWith(`${process.cwd()}/`);
    } catch {
      // It has ended, or belongs to somebody else.
      return false;
    }
  });
}

/** Found out beforehand, as npm goes on without an optional package that does not fit, such as the pinned Node. */
function checkSpace() {
  const { bavail, bsize } = statfsSync('.');
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < MB_NEEDED) fail(`installing takes ${MB_NEEDED} MB, and ${free} MB are free on this disk`);
}

/** Removes the remains of installations that were cut short. */
function removeStagesOfDead() {
  for (const name of readdirSync('.').filter((name) => /^\.install-\d+$/.test(name))) {
    if (isAlive(Number(name.split('-')[1]))) continue;
    try {
      rmSync(name, { recursive: true, force: true });
    } catch {
      // Its npm may have outlived it and still write there: the next installation removes it.
    }
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** The folders that may have packages of their own, that of the root last. */
function workspaces() {
  return [...readdirSync('packages').map((name) => join('packages', name)), '.'];
}

function copyManifests() {
  for (const name of ['package-lock.json', ...workspaces().map((folder) => join(folder, 'package.json'))])
    cpSync(name, join(STAGE, name));
}

/** Each at the version of the lock file. */
function packagesOfTracing() {
  return Object.entries(locked)
    .filter(([path]) => OF_TRACING.test(path))
    .map(([path, { version }]) => `${path.replace('node_modules/', '')}@${version}`);
}

function npm(command, ...words) {
  const args = [command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...RETRIES];
  args.push(isProduction ? '--omit=dev' : '--include=dev', ...words);
  const run = (...more) =>
    spawnSync('npm', [...args, ...more], {
      cwd: STAGE,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  // What npm keeps needs no network, but may be from before a version was published.
  let result = run('--prefer-offline');
  if (codeOf(result) === 'ETARGET') result = run();
  if (result.status === 0) return;
  const cause = CAUSES[codeOf(result)];
  if (cause === undefined) console.error(result.stderr ?? result.error.message);
  fail(`installing failed: ${cause ?? 'npm says why above'}`);
}

/** npm 9 begins the line with "npm ERR!", later ones with "npm error". */
function codeOf({ stderr }) {
  return /^npm \S+ code (\w+)/m.exec(stderr ?? '')?.[1];
}

/** npm 9 leaves the link out, as the Nodes of other platforms, which it does not install, ask for it too. */
function linkPinnedNode(root) {
  const link = join(root, PINNED_NODE);
  if (existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join('../..', pinnedPackage, 'bin/node'), link);
}

function checkPinnedNode() {
  const { status, stderr, error } = spawnSync(join(STAGE, PINNED_NODE), ['--version'], { encoding: 'utf8' });
  if (status !== 0)
    fail(`the pinned Node does not run on this machine: ${(error?.message ?? stderr).trim()}`);
}

function moveIntoPlace() {
  for (const folder of workspaces().map((folder) => join(folder, 'node_modules'))) {
    const staged = join(STAGE, folder);
    if (existsSync(folder)) renameSync(folder, `${staged}.old`);
    if (existsSync(staged)) renameSync(staged, folder);
  }
}

function install() {
  refuseToReplaceUnderRunning();
  removeStagesOfDead();
  checkSpace();
  mkdirSync(STAGE);
  process.once('exit', () => rmSync(STAGE, { recursive: true, force: true }));
  console.error('venue: installing packages (once, about half a minute) …');
  copyManifests();
  npm('ci');
  if (isProduction && withTracing) npm('install', '--no-save', ...packagesOfTracing());
  if (!existsSync(join(STAGE, pinnedPackage)))
    fail(`installing failed: npm could not get ${pinnedPackage}; try again`);
  linkPinnedNode(STAGE);
  checkPinnedNode();
  for (const part of NOT_FOR_RUNNING) rmSync(join(STAGE, part), { recursive: true, force: true });
  // Another start may have been faster.
  if (!isWhole()) moveIntoPlace();
}

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN)
  fail(`Node ${NODE_MAJOR_MIN} or later is needed to install; this is ${process.version}`);
if (pinnedPackage === undefined)
  fail(
    `there is no pinned Node for ${process.platform} on ${process.arch}: see docs/reference/dependencies.md`,
  );
try {
  if (!isWhole()) install();
  linkPinnedNode('.');
} catch (error) {
  fail(`installing failed: ${CAUSES[error.code] ?? error.message}`);
}
