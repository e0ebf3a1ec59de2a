/** Checks the files of deploy/ with their own tools: systemd's checks, the system calls of a real exchange, YAML. */

// @seconds 25

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { secretFileName, VARIABLES, type Variable } from '@venue/config';
import { parse } from 'yaml';
import { CHECKS } from '../../packages/cli/src/process/process-checks.ts';
import { eventually } from '../e2e/launched.ts';
import { isInstalled, run, skipBecause } from '../faults/machine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const UNITS = ['exchange', 'feed', 'maker', 'watcher', 'batcher', 'attestor', 'checker', 'push'] as const;
/** Out of ten, by `systemd-analyze security`; without any hardening it is 9.2. */
const EXPOSURE_MAX = 1.5;
/** The exchange runs without these: V8 and SQLite try them, and manage without. */
const REFUSED_CALLS_MAX = 6;

const needs = (program: string, name: string) =>
  skipBecause(isInstalled(program) ? undefined : `needs the Debian package ${name}`);

describe('systemd units', { skip: needs('systemd-analyze', 'systemd') }, () => {
  const root = mkdtempSync(join(tmpdir(), 'venue-units-'));
  before(() => layOut(root));
  after(() => rmSync(root, { recursive: true, force: true }));

  for (const name of UNITS) {
    const unit = `venue-${name}.service`;
    const path = join(root, 'etc/systemd/system', unit);

    test(`${unit} is a valid unit, and everything it names exists`, () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', `--root=${root}`, path], {
        encoding: 'utf8',
      });
      assert.deepEqual([status, stderr], [0, '']);
    });

    test(`${unit} has an exposure of at most ${EXPOSURE_MAX}`, () => {
      const threshold = `--threshold=${EXPOSURE_MAX * 10}`;
      const asked = ['security', '--offline=true', `--root=${root}`, threshold, '--no-pager', unit];
      const { status, stdout } = spawnSync('systemd-analyze', asked, { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    });

    test(`${unit} has time to stop`, () => {
      const text = readFileSync(path, 'utf8');
      const drainMs = Number(/VENUE_DRAIN_MS=(\d+)/.exec(text)?.[1] ?? 0);
      assert.equal(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]), 10 + drainMs / 1_000);
      assert.match(text, new RegExp(`packages/cli/src/main.ts ${name}$`, 'm'));
    });
  }

  test('CFG-5: the backup is a unit and a timer, no more exposed than the others', () => {
    for (const unit of ['venue-backup.service', 'venue-backup.timer']) {
      const path = join(root, 'etc/systemd/system', unit);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', `--root=${root}`, path], {
        encoding: 'utf8',
      });
      assert.deepEqual([status, stderr], [0, ''], unit);
    }
    const asked = [
      'security',
      '--offline=true',
      `--root=${root}`,
      `--threshold=${EXPOSURE_MAX * 10}`,
      '--no-pager',
    ];
    assert.equal(spawnSync('systemd-analyze', [...asked, 'venue-backup.service']).status, 0);
  });

  test('CFG-2: no unit takes a secret through the environment, and every needed one is a credential', () => {
    for (const name of [...UNITS, 'backup']) {
      const text = readFileSync(join(root, 'etc/systemd/system', `venue-${name}.service`), 'utf8');
      const files = [...text.matchAll(/^EnvironmentFile=-?(.*)$/gm)].map(([, file]) => file);
      assert.deepEqual(files, [`/etc/venue/${name}.env`]);
      const loaded = [...text.matchAll(/^LoadCredential=(.*)$/gm)].map(([, one]) => one);
      const given = Object.keys(environmentOf(text, '%d'));
      assert.deepEqual(
        loaded.sort(),
        secretsOf(given).map(
          (secret) => `${secretFileName(secret)}:/etc/venue/secrets/${secretFileName(secret)}`,
        ),
      );
      for (const secret of secretsOf(given))
        assert.equal(environmentOf(text, '%d')[`${secret}_FILE`], `%d/${secretFileName(secret)}`);
      const inEnvironment = given.filter((variable) => SECRETS.has(variable));
      assert.deepEqual(inEnvironment, [], name);
      const needed = [...SECRETS].filter(([, { neededBy }]) => neededBy?.some((reader) => reader === name));
      for (const [secret] of needed) assert.ok(given.includes(`${secret}_FILE`), `${name}: ${secret}`);
    }
  });

  test('CFG-2: --check finds every credential made by make-secrets where a unit expects it', async () => {
    const made = join(root, 'secrets');
    run(join(ROOT, 'deploy/bin/make-secrets'), made);
    writeFileSync(join(made, 'log'), `sqlite:${root}/venue.db\n`);
    writeFileSync(join(made, 'rpc-urls'), 'http://127.0.0.1:9,http://127.0.0.1:10', { mode: 0o600 });
    writeFileSync(join(made, 'push-key'), 'A'.repeat(43), { mode: 0o600 });
    for (const key of ['vault-operator-key', 'guardian-key'])
      writeFileSync(join(made, key), `0x${'1'.repeat(64)}`, { mode: 0o600 });
    writeFileSync(join(made, 'checker-log'), `sqlite:${root}/copy.db\n`, { mode: 0o600 });
    for (const name of UNITS) {
      const unit = readFileSync(join(ROOT, `deploy/systemd/venue-${name}.service`), 'utf8');
      const env = { ...environmentOf(unit, made), VENUE_HISTORY: join(root, 'history.db') };
      const said = (await CHECKS[name](env)).map(({ text }) => text).join('\n');
      for (const secret of SECRETS.keys()) assert.ok(!said.includes(secret), said);
      assert.match(said, /variables|VENUE_/, name);
    }
  });

  test('every process checks whether it can start before it does (CFG-4)', () => {
    for (const name of UNITS) {
      const text = readFileSync(join(root, 'etc/systemd/system', `venue-${name}.service`), 'utf8');
      const [, start] = /^ExecStart=(.*)$/m.exec(text)!;
      assert.ok(text.includes(`\nExecStartPre=${start} --check\n`), name);
    }
  });

  test('CUS-18: the checker does not start where exchange or batcher have run, and has none of their secrets', () => {
    const text = readFileSync(join(ROOT, 'deploy/systemd/venue-checker.service'), 'utf8');
    for (const folder of ['exchange', 'batcher'])
      assert.match(text, new RegExp(`^AssertPathExists=!/var/lib/venue-${folder}$`, 'm'));
    const loaded = [...text.matchAll(/^LoadCredential=(.*):/gm)].map(([, secret]) => secret);
    assert.deepEqual(loaded, ['checker-log', 'rpc-urls', 'guardian-key']);
    const containers = readFileSync(join(ROOT, 'deploy/docker/compose.yaml'), 'utf8');
    assert.doesNotMatch(containers, /checker|guardian/);
  });

  test('PUSH-1: the push process has the log and the key by which push services know it, and no other secret', () => {
    const text = readFileSync(join(ROOT, 'deploy/systemd/venue-push.service'), 'utf8');
    const loaded = [...text.matchAll(/^LoadCredential=(.*):/gm)].map(([, secret]) => secret);
    assert.deepEqual(loaded, ['log', 'push-key']);
    const read = [...SECRETS].filter(([, { readBy = [], neededBy = [] }]) =>
      [...readBy, ...neededBy].some((reader) => reader === 'push'),
    );
    assert.deepEqual(
      read.map(([secret]) => secret),
      ['VENUE_LOG', 'VENUE_PUSH_KEY'],
    );
  });

  test('a unit without hardening is found', () => {
    const path = join(root, 'etc/systemd/system/venue-exchange.service');
    const bare = readFileSync(path, 'utf8').replace(/^(Protect|Private|Restrict|SystemCall).*$/gm, '');
    writeFileSync(join(root, 'etc/systemd/system/bare.service'), bare);
    const asked = ['security', '--offline=true', `--root=${root}`, '--threshold=15', 'bare.service'];
    assert.notEqual(spawnSync('systemd-analyze', asked).status, 0);
  });

  test('the users named by units are created', () => {
    const made = readFileSync(join(ROOT, 'deploy/systemd/venue.sysusers.conf'), 'utf8');
    const named = UNITS.flatMap((name) => {
      const text = readFileSync(join(ROOT, `deploy/systemd/venue-${name}.service`), 'utf8');
      return /^User=(\S+)$/m.exec(text)?.[1] ?? [];
    });
    assert.deepEqual([...new Set(named)], ['venue-exchange', 'venue-watcher', 'venue-batcher']);
    run('systemd-sysusers', `--root=${root}`, join(ROOT, 'deploy/systemd/venue.sysusers.conf'));
    const users = readFileSync(join(root, 'etc/passwd'), 'utf8');
    for (const user of named) assert.ok(made.includes(user) && users.includes(`${user}:`), user);
  });
});

describe('the system calls that units allow', {
  skip: needs('strace', 'strace') || needs('systemd-analyze', 'systemd'),
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-calls-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('an exchange starts, serves and stops with all others refused', async () => {
    const seen = join(folder, 'seen');
    await liveUnder(['-o', seen], join(folder, 'a.db'));
    const used = new Set(readFileSync(seen, 'utf8').match(/(?<=^\d+ +)[a-z_0-9]+(?=\()/gm));
    assert.ok(used.has('pwrite64') && used.has('accept4'), [...used].join(' '));
    const allowed = allowedCalls();
    const refused = [...used].filter((call) => !allowed.has(call));
    assert.ok(refused.length <= REFUSED_CALLS_MAX, refused.join(' '));
    const calls = [...new Set([...refused, 'setpriority', 'sched_setscheduler', 'sched_setaffinity'])];
    const inject = ['-e', `trace=${calls.join(',')}`, '-e', `inject=${calls.join(',')}:error=EPERM`];
    await liveUnder(['-o', join(folder, 'refused'), ...inject], join(folder, 'b.db'));
  });
});

/** An exchange's whole life under strace, with the given strace options. */
async function liveUnder(strace: readonly string[], log: string): Promise<void> {
  const main = join(ROOT, 'packages/cli/src/main.ts');
  const env = { PATH: process.env.PATH, VENUE_PORT: '0', VENUE_LOG: `sqlite:${log}` };
  const child = spawn('strace', ['-f', '-qq', ...strace, process.execPath, main, 'exchange'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close');
  try {
    const [, url] = await eventually('it listens', () => /listening on (\S+)/.exec(output));
    await eventually('it is healthy', async () => {
      const health = (await (await fetch(`${url}/healthz`)).json()) as { ok: boolean };
      return health.ok;
    });
  } finally {
    // strace does not forward the signal; the exchange is its child.
    const [pid] = run('ps', '-o', 'pid=', '--ppid', String(child.pid)).trim().split(/\s+/);
    process.kill(Number(pid), 'SIGTERM');
  }
  const [code] = await ended;
  assert.equal(code, 0);
}

/** The system calls allowed by `SystemCallFilter` of the exchange's unit. */
function allowedCalls(): Set<string> {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/venue-exchange.service'), 'utf8');
  const allowed = new Set<string>();
  for (const [, not, names] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    const calls = names!.split(' ').flatMap(callsOf);
    for (const call of calls) {
      if (not === '~') allowed.delete(call);
      else allowed.add(call);
    }
  }
  return allowed;
}

function callsOf(name: string): string[] {
  if (!name.startsWith('@')) return [name];
  const lines = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', name], { encoding: 'utf8' });
  return lines
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^[@a-z]/.test(line))
    .flatMap(callsOf);
}

/** A root folder with the units and everything they name, as laid out by docs/how-to/deploy.md. */
function layOut(root: string): void {
  const units = join(root, 'etc/systemd/system');
  const node = join(root, 'opt/venue/current/node_modules/.bin/node');
  mkdirSync(units, { recursive: true });
  mkdirSync(join(node, '..'), { recursive: true });
  writeFileSync(node, '');
  chmodSync(node, 0o755);
  const programs = ['opt/venue/current/deploy/bin/venue-backup', 'usr/bin/install'];
  for (const program of programs) {
    mkdirSync(join(root, program, '..'), { recursive: true });
    copyFileSync(join(ROOT, 'deploy/bin/venue-backup'), join(root, program));
  }
  for (const file of globSync(join(ROOT, 'deploy/systemd/*.{service,timer}')))
    copyFileSync(file, join(units, file.split('/').at(-1)!));
  for (const target of [
    'sysinit',
    'basic',
    'network-online',
    'network',
    'shutdown',
    'multi-user',
    'timers',
    'time-sync',
    'time-set',
  ])
    copyFileSync(`/usr/lib/systemd/system/${target}.target`, join(units, `${target}.target`));
}

/** Variables that only their own process may see. */
const SECRETS = new Map(Object.entries<Variable>(VARIABLES).filter(([, { secret }]) => secret));

/** The secrets that an environment's names pass as files. */
function secretsOf(names: readonly string[]): string[] {
  return names
    .map((name) => name.replace(/_FILE$/, ''))
    .filter((name, i) => name !== names[i] && SECRETS.has(name))
    .sort((a, b) => (secretFileName(a) < secretFileName(b) ? -1 : 1));
}

/** A unit's environment, with its credentials in `folder`. */
function environmentOf(unit: string, folder: string): Record<string, string> {
  const words = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(' '));
  return Object.fromEntries(words.map((word) => word.replace('%d', folder).split('=') as [string, string]));
}

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly env_file?: unknown;
  readonly secrets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly networks?: unknown;
  readonly volumes?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly deploy?: { readonly resources: { readonly limits: Readonly<Record<string, string | number>> } };
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
}

describe('compose.yaml and Dockerfile', () => {
  const folder = join(ROOT, 'deploy/docker');
  const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true });
  const services: Readonly<Record<string, Service>> = compose.services;
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');

  test('PostgreSQL, exchange, follower, feed, maker and nginx, each with a pinned version', () => {
    assert.deepEqual(Object.keys(services), ['postgres', 'exchange', 'follower', 'feed', 'maker', 'nginx']);
    for (const [name, { image }] of Object.entries(services)) assert.match(image!, /^[a-z]+:\d+\.\d+/, name);
  });

  test('everything that services refer to exists: files, networks, volumes, each other', () => {
    for (const [name, { volumes = [], depends_on: others = {}, networks }] of Object.entries(services)) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.') && !source.endsWith('certificates'))
          assert.ok(existsSync(join(folder, source)), `${name}: ${source}`);
        if (!source.startsWith('.')) assert.ok(source in compose.volumes, `${name}: ${source}`);
      }
      for (const other of Object.keys(others)) assert.ok(other in services, `${name}: ${other}`);
      const named = Array.isArray(networks) ? networks : Object.keys(networks as object);
      for (const network of named) assert.ok(network in compose.networks, `${name}: ${network}`);
    }
    assert.deepEqual(
      readdirSync(join(folder, 'machine')).sort(),
      readdirSync(join(ROOT, 'deploy/nginx/machine')).sort(),
    );
  });

  test('PostgreSQL keeps what it acknowledges, and only nginx is reachable from outside', () => {
    for (const setting of ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'])
      assert.ok(services.postgres!.command!.includes(setting), setting);
    assert.equal(compose.networks.inside.internal, true);
    const outside = Object.entries(services).filter(([, service]) => 'ports' in service);
    assert.deepEqual(
      outside.map(([name]) => name),
      ['nginx'],
    );
  });

  test('no process can exhaust memory, processors or process ids', () => {
    for (const [name, { deploy }] of Object.entries(services)) {
      const { cpus, memory, pids } = deploy?.resources.limits ?? {};
      assert.match(String(cpus), /^\d+$/, name);
      assert.match(String(memory), /^\d+[MG]$/, name);
      assert.ok(Number(pids) >= 64, name);
    }
  });

  test('our processes may write only to their volume, and have no capabilities', () => {
    for (const name of ['exchange', 'feed', 'maker']) {
      const { read_only, cap_drop, command } = services[name]!;
      assert.deepEqual([read_only, cap_drop, command], [true, ['ALL'], [name]]);
    }
    assert.equal(services.exchange!.healthcheck, undefined, 'the one of the image holds');
  });

  test('the image runs as an unprivileged user, reports its health, and is built from this repository', () => {
    const stages = dockerfile.split(/^FROM /m);
    assert.equal(stages.length, 3);
    assert.match(stages[2]!, /^USER 10001:10001$/m);
    assert.match(stages[2]!, /^HEALTHCHECK /m);
    for (const [, words] of dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm))
      for (const source of words!.split(' ').slice(0, -1))
        assert.ok(globSync(source, { cwd: ROOT }).length > 0, source);
  });

  test('CFG-2: no service takes a secret through the environment; each sees only those it reads', () => {
    for (const [name, { env_file, environment = {}, secrets = [] }] of Object.entries(services)) {
      assert.equal(env_file, undefined, name);
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      assert.deepEqual(
        files.map(([, file]) => file),
        secrets.map((secret) => `/run/secrets/${secret}`),
        name,
      );
      for (const secret of secrets)
        assert.deepEqual(compose.secrets[secret], { file: `secrets/${secret}` }, name);
      for (const [variable, value] of Object.entries(environment)) {
        if (SECRETS.has(variable) || /PASSWORD$/.test(variable)) assert.equal(value, '', variable);
      }
      const needed = [...SECRETS].filter(([, { neededBy }]) => neededBy?.some((reader) => reader === name));
      for (const [secret] of needed)
        assert.ok(secrets.includes(secretFileName(secret)), `${name}: ${secret}`);
    }
  });

  test('CUS-18: the checker is a project of its own, which asks for what it needs and listens nowhere', () => {
    const alone = parse(readFileSync(join(ROOT, 'deploy/docker/checker/compose.yaml'), 'utf8'));
    assert.deepEqual(Object.keys(alone.services), ['checker']);
    const { build, command, read_only, cap_drop, ports, secrets, environment, volumes } =
      alone.services.checker;
    assert.ok(existsSync(join(folder, 'checker', build.context, build.dockerfile)));
    assert.deepEqual([command, read_only, cap_drop, ports], [['checker'], true, ['ALL'], undefined]);
    assert.deepEqual(secrets, ['checker-log', 'rpc-urls', 'guardian-key']);
    assert.deepEqual(Object.keys(alone.secrets), secrets);
    for (const secret of secrets)
      assert.equal(
        environment[`VENUE_${secret.toUpperCase().replaceAll('-', '_')}_FILE`],
        `/run/secrets/${secret}`,
      );
    assert.deepEqual(volumes, [
      `./vault.json:${environment.VENUE_VAULT_DEPLOYMENT}:ro`,
      'state:/var/lib/venue',
    ]);
  });

  test("make-secrets writes each process's secrets, readable by its owner alone, and never overwrites", () => {
    const place = mkdtempSync(join(tmpdir(), 'venue-secrets-'));
    try {
      const made = join(place, 'secrets');
      run(join(ROOT, 'deploy/bin/make-secrets'), made, 'postgres');
      assert.equal(statSync(made).mode & 0o777, 0o700);
      assert.deepEqual(readdirSync(made).sort(), Object.keys(compose.secrets).sort());
      const texts = readdirSync(made).map((file) => readFileSync(join(made, file), 'utf8'));
      assert.equal(new Set(texts).size, texts.length);
      assert.throws(() => run(join(ROOT, 'deploy/bin/make-secrets'), made));
      assert.deepEqual(
        readdirSync(made).map((file) => readFileSync(join(made, file), 'utf8')),
        texts,
      );
      const bare = join(place, 'bare');
      run(join(ROOT, 'deploy/bin/make-secrets'), bare);
      for (const file of readdirSync(bare))
        assert.equal(statSync(join(bare, file)).mode & 0o777, 0o600, file);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});
