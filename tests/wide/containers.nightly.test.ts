/**
 * The commands of the page on deployment for containers, and for the checker, to what they start: every process with the
 * command, the environment and the secrets that its compose file, or its unit, gives it. Docker itself, its networks and
 * the images are not there.
 */

// @seconds 60

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { GateWorld } from '../../packages/checker/test/gate-world.ts';
import { unitEnvironment } from '../../packages/cli/src/init/unit.ts';
import { PostgresServer, whyNoPostgres } from '../../packages/log/test/postgres-server.ts';
import { guardians } from '../../packages/vault/test/gate.ts';
import { eventually, freePort, Launched, runExample } from '../e2e/launched.ts';
import { skipBecause } from '../faults/machine.ts';
import { makeCertificate } from './certificate.ts';
import { Containers } from './compose.ts';
import { blocksUnder } from './drills-machine.ts';
import { type Nginx, startNginx, whyNoEdge } from './edge-server.ts';

const PAGE = 'how-to/deploy.md';
const NAME = 'venue.example.com';

async function type(containers: Containers, commands: string): Promise<void> {
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: containers.folder,
    env: { PATH: `${containers.folder}:${process.env.PATH}` },
  });
}

describe('a paper market in containers', { skip: skipBecause(whyNoEdge() ?? whyNoPostgres()) }, () => {
  const containers = new Containers();
  const launched: Launched[] = [];
  let server: PostgresServer;
  let nginx: Nginx | undefined;
  let url = '';
  before(async () => {
    server = await PostgresServer.create();
    await server.start();
  });
  after(async () => {
    for (const one of launched) one.end();
    await nginx?.stop();
    await server.remove();
    containers.remove();
  });

  function start(name: string, own: Readonly<Record<string, string>>): Launched {
    mkdirSync(join(containers.folder, name));
    const env = { ...containers.environmentOf(name), VENUE_HOST: '127.0.0.1', ...own };
    launched.push(new Launched(containers.commandOf(name), { env }));
    return launched.at(-1)!;
  }

  test('the commands of the page make what compose.yaml refers to, and end with its start', async () => {
    const [block = ''] = blocksUnder(PAGE, 'In containers');
    await type(containers, block.replace('crypto,pyth', 'simulated'));
    assert.deepEqual(containers.asked, [
      `${containers.path('')}: compose up --build --wait`.replace('/:', ':'),
    ]);
    makeCertificate(containers.path('certificates'), { names: `DNS:${NAME}`, days: 2 });
    assert.equal(containers.environmentOf('feed').VENUE_FEED_SOURCE, 'simulated');
    writeFileSync(containers.path('.env'), '');
    assert.throws(() => containers.environmentOf('feed'), /^Error: VENUE_FEED_SOURCE: set crypto, pyth/);
    writeFileSync(containers.path('.env'), 'VENUE_FEED_SOURCE=simulated\n');
  });

  test('exchange, feed and maker start on PostgreSQL as compose.yaml says, and a trader gets a fill', async () => {
    await reachDatabase();
    const exchange = start('exchange', { VENUE_PORT: '0', VENUE_DRAIN_MS: '0' });
    [, url = ''] = await exchange.says(/exchange listening on (\S+?)"?[\s,]/);
    for (const name of ['feed', 'maker']) {
      assert.equal(containers.environmentOf(name).VENUE_URL, 'http://exchange:8080');
      start(name, { VENUE_URL: url });
    }
    await eventually('the example is filled', async () => {
      const { stdout } = await runExample(url);
      return /: filled$/m.test(stdout);
    });
  });

  /** The server has the role and the database that compose.yaml gives it, and this machine's address. */
  async function reachDatabase(): Promise<void> {
    const password = readFileSync(containers.path('secrets/postgres-password'), 'utf8').trim();
    const log = readFileSync(containers.path('secrets/log'), 'utf8').trim();
    assert.equal(log, `postgres://venue:${password}@postgres:5432/venue`);
    await server.sql('CREATE DATABASE venue');
    await server.sql(`CREATE ROLE containers LOGIN SUPERUSER PASSWORD '${password}'`);
    const here = log
      .replace('//venue:', '//containers:')
      .replace('@postgres:5432', `@127.0.0.1:${server.port}`);
    await type(containers, `chmod u+w deploy/docker/secrets/log; echo '${here}' > deploy/docker/secrets/log`);
  }

  test('a follower serves what the exchange has written', async () => {
    const follower = start('follower', { VENUE_PORT: '0', VENUE_DRAIN_MS: '0' });
    const [, address] = await follower.says(/follower listening on (\S+?)"?[\s,]/);
    await eventually('the follower is ready', async () => (await fetch(`${address}/readyz`)).ok);
  });

  test('nginx takes the configuration of containers, and leads to the exchange by TLS', async () => {
    const [port, plainPort] = [await freePort(), await freePort()];
    const folder = join(containers.folder, 'nginx');
    await type(
      containers,
      `cp -r deploy/nginx nginx; rm -r nginx/machine; cp -r deploy/docker/machine nginx
       sed -i 's#/etc/nginx/certificates#${containers.path('certificates')}#; s#/dev/std...#${folder}/log#
         s#listen 443#listen 127.0.0.1:${port}#; s#listen 80#listen 127.0.0.1:${plainPort}#; s#^user nginx#user root#
         s#/run/nginx.pid#${folder}/pid#; s#10.213.0.10:8080#${new URL(url).host}#' nginx/machine/*.conf`,
    );
    nginx = await startNginx(folder, port);
    const ca = readFileSync(containers.path('certificates/fullchain.pem'), 'utf8');
    const answer = await new Promise<string>((done, fail) => {
      const asked = { host: '127.0.0.1', port, path: '/healthz', ca, servername: NAME, agent: new Agent() };
      get(asked, (response) => void text(response).then(done, fail)).on('error', fail);
    });
    assert.equal(JSON.parse(answer).ok, true);
  });
});

describe('the checker on a machine of its own', () => {
  const containers = new Containers();
  const launched: Launched[] = [];
  let world: GateWorld;
  before(async () => {
    world = await GateWorld.start();
  });
  after(async () => {
    for (const one of launched) one.end();
    await world.stop();
    containers.remove();
  });

  /** The files of the page's table, in a folder for the secrets and beside it. */
  function lay(secrets: string, vault: string): void {
    const { rpcUrl } = world.chain;
    const files = {
      'checker-log': world.copy,
      'rpc-urls': `${rpcUrl},${rpcUrl.replace('127.0.0.1', 'localhost')}`,
      'guardian-key': guardians[0].privateKey,
    };
    mkdirSync(secrets, { recursive: true, mode: 0o700 });
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(secrets, name), `${content}\n`, { mode: 0o600 });
    writeFileSync(vault, readFileSync(world.file));
  }

  async function checks(env: Readonly<Record<string, string>>, words = ['checker']): Promise<void> {
    const asked = new Launched([...words, '--check'], { env });
    assert.equal(await asked.exits(), 0, asked.output);
    launched.push(
      new Launched(words, { env: { ...env, VENUE_CONFIRMATIONS: '1', VENUE_RPC_POLL_MS: '50' } }),
    );
    await launched.at(-1)!.says(/checking the gate 0x\w+ on chain \d+ as the guardian 0x/);
    launched.at(-1)!.end();
  }

  test('CUS-18: as its unit starts it, with the files of the page', async () => {
    const root = join(containers.folder, 'root');
    lay(join(root, 'etc/venue/secrets'), join(root, 'etc/venue/vault.json'));
    mkdirSync(join(root, 'etc/systemd'));
    await type(containers, 'mkdir -p root/etc/systemd/system; cp deploy/systemd/* root/etc/systemd/system');
    const env = unitEnvironment(root, 'checker') as Record<string, string>;
    await checks({ ...env, VENUE_CHECKER_STATE: join(root, 'checker.json') });
  });

  test('CUS-18: as its container starts it, with three files in secrets and one beside', async () => {
    const file = 'checker/compose.yaml';
    lay(containers.path('checker/secrets'), containers.path('checker/vault.json'));
    mkdirSync(join(containers.folder, 'checker'));
    await checks(containers.environmentOf('checker', file), [...containers.commandOf('checker', file)]);
  });
});
