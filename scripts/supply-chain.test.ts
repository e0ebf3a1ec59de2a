import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { weigh } from './audit.ts';
import {
  COMMITTED,
  type Locked,
  type LockedPackages,
  licenceFaults,
  licencesText,
  released,
} from './licences.ts';

const ROOT = new URL('../', import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}
const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })].map((path) => ({
  path,
  manifest: JSON.parse(readText(path)) as Manifest,
}));
type Installed = Locked & { hasInstallScript?: boolean; integrity?: string };
const lock: { packages: Readonly<Record<string, Installed>> } = JSON.parse(readText('package-lock.json'));
const dependenciesText = readText('docs/reference/dependencies.md');

function dependenciesOf({ dependencies, devDependencies, optionalDependencies }: Manifest) {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

test('every dependency is pinned to one version', () => {
  const loose = manifests.flatMap(({ path, manifest }) =>
    dependenciesOf(manifest)
      .filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );
  assert.ok(manifests.length > 5);
  assert.deepEqual(loose, []);
});

test('docs/reference/dependencies.md lists each direct dependency, and nothing else', () => {
  const direct = new Set(manifests.flatMap(({ manifest }) => dependenciesOf(manifest).map(([name]) => name)));
  const third = [...direct].filter((name) => !name.startsWith('@venue/'));
  const listed = dependenciesText
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  assert.deepEqual([...new Set(listed)].sort(), third.sort());
});

test('CFG-6: what only tests and checks need is not installed for running', () => {
  const forRunning = Object.entries(lock.packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path]) => path.split('node_modules/').at(-1)!);
  const tools =
    /^(typescript|@typescript|@biomejs|knip|playwright|@axe-core|ethers|solc|@foundry|@embedded|embedded|@openzeppelin)/;
  assert.deepEqual(
    forRunning.filter((name) => tools.test(name)),
    [],
  );
});

test('CFG-6: the pinned Node is the same on every platform, and comes with a checksum', () => {
  const nodes = Object.entries(lock.packages).filter(([path]) =>
    /^node_modules\/node-.*-(x64|arm64)$/.test(path),
  );
  assert.equal(nodes.length, 4);
  for (const [path, { integrity, version }] of nodes)
    assert.ok(integrity !== undefined && version === nodes[0]![1].version, path);
});

describe('install scripts', () => {
  const allowed = manifests[0]!.manifest.allowScripts ?? {};

  test('every package with one is listed, allowed or not', () => {
    const having = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    assert.deepEqual(
      having.filter((name) => !(name in allowed)),
      [],
    );
  });

  test('none may run', () => {
    assert.deepEqual(
      Object.entries(allowed).flatMap(([name, isAllowed]) => (isAllowed ? [name] : [])),
      [],
    );
    assert.match(readText('.npmrc'), /^ignore-scripts=true$/m, 'older versions of npm know no allowScripts');
  });

  test('each is explained in docs/reference/dependencies.md', () => {
    const section = dependenciesText.split('## Install scripts')[1] ?? '';
    const unexplained = Object.keys(allowed).filter(
      (name) => !section.includes(`\`${name}\``) && !section.includes(`\`${name.split('/')[0]}\``),
    );
    assert.deepEqual(unexplained, []);
  });
});

describe('licences', () => {
  const of = (license: string | undefined, more: object = {}): LockedPackages => ({
    'node_modules/a': { version: '1.0.0', ...(license !== undefined && { license }), ...more },
  });

  test('of everything released are allowed, and listed', () => {
    const rows = [...released(lock.packages), ...COMMITTED];
    assert.ok(rows.length > 100);
    assert.deepEqual(licenceFaults(rows), []);
    assert.equal(readText('docs/reference/licences.md'), licencesText(rows), 'scripts/licences.ts writes it');
  });

  for (const licence of [
    'GPL-3.0-only',
    'AGPL-3.0',
    'LGPL-2.1',
    'MPL-2.0',
    'SSPL-1.0',
    'SEE LICENSE IN x',
    undefined,
  ]) {
    test(`${licence ?? 'no licence'} is a fault`, () => {
      assert.deepEqual(licenceFaults(released(of(licence))), [
        `a 1.0.0: ${licence ?? 'unknown'} is not allowed`,
      ]);
    });
  }

  for (const licence of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'Apache-2.0']) {
    test(`${licence} is none`, () => assert.deepEqual(licenceFaults(released(of(licence))), []));
  }

  test('MIT AND GPL-3.0 is a fault', () => {
    assert.equal(licenceFaults(released(of('MIT AND GPL-3.0'))).length, 1);
  });

  test('development-only packages do not count', () => {
    assert.deepEqual(released(of('GPL-3.0', { dev: true })), []);
  });

  test('installed packages state the licence recorded in the lock file', () => {
    const differing = released(lock.packages).flatMap(({ name, version, licence }) => {
      const path = `node_modules/${name}/package.json`;
      if (!existsSync(new URL(path, ROOT))) return [];
      const own = JSON.parse(readText(path)) as { version: string; license?: string | { type: string } };
      const said = typeof own.license === 'object' ? own.license.type : own.license;
      return own.version !== version || said === undefined || said === licence ? [] : [`${name}: ${said}`];
    });
    assert.deepEqual(differing, []);
  });
});

describe('known vulnerabilities', () => {
  const advisory = {
    url: 'https://advisories.example/GHSA-aaaa-bbbb-cccc',
    title: 'Reads too much',
    severity: 'high',
    name: 'a',
  };
  const report = { vulnerabilities: { a: { via: [advisory] }, b: { via: ['a'] } } };

  test('an unexplained one is reported once', () => {
    assert.deepEqual(weigh(report, []), {
      unexplained: ['GHSA-aaaa-bbbb-cccc (high) in a: Reads too much'],
      idle: [],
    });
  });

  test('an explained one is not reported, and an unused explanation is', () => {
    const explained = [
      { advisory: 'GHSA-aaaa-bbbb-cccc', reason: 'nothing of it is called' },
      { advisory: 'GHSA-gone', reason: 'it was once there' },
    ];
    assert.deepEqual(weigh(report, explained), { unexplained: [], idle: ['GHSA-gone'] });
  });

  test('without the registry there is no report', () => {
    assert.equal(weigh({ message: 'offline' } as object, []), null);
  });
});
