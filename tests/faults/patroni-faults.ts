/**
 * Faults of the machines of a self-healing cluster; each function returns once its fault is over and clients are served
 * again.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../e2e/launched.ts';
import type { Served } from './cluster.ts';
import type { PatroniCluster } from './patroni-cluster.ts';
import { typeCommands } from './patroni-commands.ts';
import type { PatroniMachine } from './patroni-machine.ts';

export interface PatroniVenue extends Served {
  readonly patroni: PatroniCluster;
  /** Seconds after which a silent primary is replaced. */
  readonly ttl: number;
}

export type PatroniFault = 'power' | 'pause' | 'crash' | 'orphan' | 'standbys' | 'etcd' | 'commands';

type Cause = (venue: PatroniVenue, primary: PatroniMachine) => Promise<void>;

export const PATRONI_FAULTS: Readonly<Record<PatroniFault, Cause>> = {
  power: losePower,
  pause: pausePrimary,
  crash: crashServer,
  orphan: losePatroni,
  standbys: loseStandbys,
  etcd: loseEtcd,
  commands: typeCommands,
};

const SERVED = 20;
/** By then a lease has expired, and another machine would have taken it. */
const LEASES = 1.5;

/** The primary's machine loses power, including its etcd, and returns once others serve. */
async function losePower(venue: PatroniVenue, primary: PatroniMachine): Promise<void> {
  await primary.loseTheMachine();
  await anyServed(venue);
  await primary.start();
}

/** The primary's machine pauses; when it resumes, its server still considers itself the primary. */
async function pausePrimary(venue: PatroniVenue, primary: PatroniMachine): Promise<void> {
  primary.pause();
  await replaced(venue, primary);
  await anyServed(venue);
  primary.resume();
}

/** The server crashes, and its Patroni notices immediately. */
async function crashServer(venue: PatroniVenue, primary: PatroniMachine): Promise<void> {
  primary.crash();
  await replaced(venue, primary);
  await anyServed(venue);
}

/** Patroni dies and leaves its server running: there are two primaries until it is back. */
async function losePatroni(venue: PatroniVenue, primary: PatroniMachine): Promise<void> {
  await primary.lose('patroni');
  await replaced(venue, primary);
  await anyServed(venue);
  await eventually('the server outlives its Patroni', () => primary.isPrimary());
  await primary.start();
}

/** Both standbys are lost, with their Patroni: the primary alone acknowledges nothing. */
async function loseStandbys(venue: PatroniVenue, primary: PatroniMachine): Promise<void> {
  const standbys = venue.patroni.others(primary);
  for (const standby of standbys) {
    await standby.lose('patroni');
    standby.crash();
  }
  await silent(venue, 'without a standby');
  await standbys[0]!.start();
  await anyServed(venue);
  await standbys[1]!.start();
}

/** All of etcd is lost: the primary continues. If it fails as well, nobody replaces it until etcd is back. */
async function loseEtcd(venue: PatroniVenue, primary: PatroniMachine): Promise<void> {
  const { patroni, ttl } = venue;
  for (const machine of patroni.machines) await machine.lose('etcd');
  await sleep(LEASES * ttl * 1_000);
  await anyServed(venue);
  for (const other of patroni.others(primary))
    if (await other.isPrimary()) venue.faults.push(`without etcd ${other.name} became the primary`);
  primary.crash();
  await silent(venue, 'without etcd and primary');
  for (const machine of patroni.machines) await machine.start();
  await anyServed(venue);
}

/** Waits until any node serves again. */
async function anyServed({ crowd }: PatroniVenue): Promise<void> {
  await crowd.untilServed(SERVED);
}

/** Waits until another machine accepts writes. */
async function replaced({ patroni }: PatroniVenue, primary: PatroniMachine): Promise<void> {
  const others = patroni.others(primary);
  await eventually(
    'another primary',
    async () => (await Promise.all(others.map((machine) => machine.isPrimary()))).includes(true),
    60_000,
  );
}

/** For longer than a fail-over takes, nothing that is sent from now on is acknowledged; earlier writes still may be. */
async function silent({ crowd, ttl, faults }: PatroniVenue, why: string): Promise<void> {
  const fromMs = performance.now();
  await sleep(LEASES * ttl * 1_000);
  const more = crowd.acknowledgedOf(fromMs);
  if (more > 0) faults.push(`${why} ${more} writes were acknowledged`);
}
