/** A PostgreSQL server to which nobody connects without TLS, with what deploy/patroni/make-cluster makes for it. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFolder, PostgresServer } from '../../packages/log/test/postgres-server.ts';

const MAKE_CLUSTER = fileURLToPath(new URL('../../deploy/patroni/make-cluster', import.meta.url));
/** The tests' own superuser has the name that the page gives to the role of the venue. */
const ROLE = 'market';
const TLS_ALONE = 'hostssl all all 127.0.0.1/32 scram-sha-256\n';

/** Starts it. `folder` then has `cluster/log`, the address that the exchange takes, and `cluster/ca.pem`. */
export async function startTlsPostgres(folder: string): Promise<PostgresServer> {
  const cluster = join(folder, 'cluster');
  execFileSync(MAKE_CLUSTER, [cluster, 'n1=127.0.0.1']);
  const server = await PostgresServer.create();
  for (const name of ['machine.pem', 'machine.key'])
    copyFileSync(join(cluster, 'n1', name), join(server.folder, name));
  ownFolder(server.folder);
  server.configure([
    'ssl = on',
    `ssl_cert_file = '${server.folder}/machine.pem'`,
    `ssl_key_file = '${server.folder}/machine.key'`,
  ]);
  await server.start();
  const made = readFileSync(join(cluster, 'n1/venue.sql'), 'utf8').replaceAll('venue', ROLE);
  for (const statement of made.trim().split('\n')) await server.sql(statement);
  writeFileSync(join(server.data, 'pg_hba.conf'), TLS_ALONE);
  await server.sql('SELECT pg_reload_conf()');
  const address = readFileSync(join(cluster, 'log'), 'utf8')
    .replace('//venue:', `//${ROLE}:`)
    .replace('/venue?', `/${ROLE}?`)
    .replace(':5432/', `:${server.port}/`);
  writeFileSync(join(cluster, 'log'), address);
  return server;
}
