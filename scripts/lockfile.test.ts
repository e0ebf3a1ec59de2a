import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

test('the lock file names every optional package, including those of other platforms: npm ci refuses it otherwise', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        lock.packages[`node_modules/${name}`] === undefined &&
        lock.packages[`${path}/node_modules/${name}`] === undefined,
    ),
  );
  assert.deepEqual(missing, []);
});

test('the lock file records no download address', () => {
  const recorded = Object.values(lock.packages).filter(({ resolved }) => resolved?.includes('://'));
  assert.deepEqual(recorded, []);
});

/** The earliest Node on Debian 12 and 13 that installs the project. */
const INSTALLER = { major: 20, minor: 19 };

test('no package requires a later Node than the one that installs: npm would warn about each', () => {
  const late = Object.entries(lock.packages).filter(([, { engines }]) => !isMet(engines?.node ?? '*'));
  assert.deepEqual(
    late.map(([path, { engines }]) => `${path} ${engines!.node}`),
    [],
  );
  for (const range of ['>=22', '^24.0.0', '^18.1.0 || >=22.12.0', '>= 21']) assert.ok(!isMet(range), range);
});

/** True when a range includes the installing Node. */
function isMet(range: string): boolean {
  return range.split('||').some((part) => {
    const found = /^\s*(\D*?)\s*v?(\d+)(?:\.(\d+))?/.exec(part);
    if (found === null) return true;
    const [, operator = '', major = '0', minor = '0'] = found;
    const isLater =
      Number(major) > INSTALLER.major ||
      (Number(major) === INSTALLER.major && Number(minor) > INSTALLER.minor);
    return !isLater && (operator.startsWith('>') || Number(major) === INSTALLER.major);
  });
}
