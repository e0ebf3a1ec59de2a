/** Which test files run when, and in which order (TEST-1). */

/**
 * Test files of the everyday run that take many seconds, by process, the slowest process first: they start before all
 * others, so that no core is left waiting for the one slow file that came last. Files of one process import the same:
 * what these need first takes a second of a core to read and compile.
 */
export const SLOW_TESTS: readonly (readonly string[])[] = [
  [
    'packages/vault/src/watcher/run.test.ts',
    'packages/vault/src/batcher/gate.test.ts',
    'packages/vault/src/batcher/run.test.ts',
    'packages/vault/src/batcher/money.test.ts',
  ],
  [
    'packages/maker/src/run.test.ts',
    'packages/maker/src/set-line.test.ts',
    'packages/maker/src/maker.attack.test.ts',
  ],
  [
    'packages/exchange/src/openapi/document.test.ts',
    'packages/exchange/src/openapi/fields.test.ts',
    'packages/exchange/src/http/forgery.test.ts',
    'packages/exchange/src/http/odd-values.test.ts',
    'packages/exchange/src/http/routes/operator.test.ts',
  ],
  [
    'packages/exchange/src/history/start.test.ts',
    'packages/exchange/src/history/history.test.ts',
    'packages/exchange/src/history/market.test.ts',
    'packages/exchange/src/history/orders.test.ts',
  ],
  ['packages/feed/src/upstream/crypto.test.ts', 'packages/sdk/src/transport.test.ts'],
  ['packages/exchange/src/node.test.ts', 'packages/exchange/src/stream/stream.test.ts'],
  ['tests/e2e/paper.e2e.test.ts'],
  ['packages/log/src/sqlite/log.test.ts'],
  ['packages/cli/src/archiving/archiver.test.ts'],
  ['packages/exchange/sim/simulation.test.ts'],
  ['packages/audit/src/archive/archive.test.ts', 'packages/audit/src/verify/verify.test.ts'],
  ['packages/audit/src/verify/tampering.test.ts'],
  ['packages/engine/sim/simulation.test.ts'],
  ['packages/cli/src/profile/wallet-file.test.ts'],
  ['scripts/install.test.ts'],
  // These look at what the first import of a module loads.
  ['packages/cli/src/program.test.ts'],
  ['packages/protocol/src/index.test.ts'],
];

/**
 * Long files that share a process, and in it one market and one browser (`sharedStage` in `tests/wide/browser.ts`): they
 * change nothing but accounts of their own.
 */
export const SHARED_MARKETS: readonly (readonly string[])[] = [
  [
    'tests/wide/terminal-session.test.ts',
    'tests/wide/terminal-access.test.ts',
    'tests/wide/terminal-returns.test.ts',
    'tests/wide/terminal.test.ts',
  ],
  [
    'tests/wide/terminal-ticket.test.ts',
    'tests/wide/terminal-layout.test.ts',
    'tests/wide/terminal-sizes.test.ts',
    'tests/wide/terminal-room.test.ts',
    'tests/wide/terminal-manners.test.ts',
    'tests/wide/terminal-charts.test.ts',
  ],
];

/**
 * Test files that only `npm test -- --all` runs, the longest first, as are all others under `tests/wide`. They start
 * processes, servers and browsers, build programs, or run the many rounds of what the everyday run tries with a few.
 */
export const LONG_TESTS: readonly string[] = [
  'tests/wide/drills.test.ts',
  'tests/wide/faults.test.ts',
  'tests/wide/custody.test.ts',
  'tests/wide/upgrade.test.ts',
  'tests/e2e/cli-trader.e2e.test.ts',
  'tests/wide/cluster.test.ts',
  'packages/vault/test/solidity.test.ts',
  'tests/wide/postgres.test.ts',
  'tests/wide/terminal-link.test.ts',
  'tests/wide/install.test.ts',
  'tests/e2e/bench-reads.e2e.test.ts',
  'tests/wide/patroni.test.ts',
  'tests/wide/expiry.test.ts',
  'packages/log/src/postgres/log.test.ts',
  'tests/e2e/cli-orders.e2e.test.ts',
  'tests/wide/terminal-expiry.test.ts',
  'tests/e2e/up.e2e.test.ts',
  'tests/e2e/contract.e2e.test.ts',
  'tests/e2e/market.e2e.test.ts',
  'tests/e2e/verify.e2e.test.ts',
  'tests/wide/follower.test.ts',
  'packages/engine/sim/more-seeds.test.ts',
  'tests/e2e/docs.e2e.test.ts',
  'tests/wide/terminal-large.test.ts',
  'tests/wide/deadlines.test.ts',
  'tests/wide/terminal-account.test.ts',
  'tests/wide/terminal-whatif.test.ts',
  'tests/wide/terminal-watch.test.ts',
  'tests/wide/terminal-tray.test.ts',
  'tests/wide/terminal-orders.test.ts',
  'tests/wide/terminal-install.test.ts',
  'tests/wide/soak.test.ts',
  'tests/wide/deploy.test.ts',
  'tests/wide/terminal-admin.test.ts',
  'tests/wide/terminal-axe.test.ts',
  'packages/vault/src/attestor/attestor.test.ts',
  'tests/e2e/cli-wallet.e2e.test.ts',
  'tests/wide/history-copies.test.ts',
  'packages/exchange/src/main.test.ts',
  'packages/vault/src/watcher/lies.test.ts',
  'tests/wide/check.test.ts',
  'tests/e2e/settlement-crash.e2e.test.ts',
  'tests/wide/terminal-quotes.test.ts',
  'packages/exchange/sim/more-seeds.test.ts',
  'tests/wide/clock.test.ts',
  'tests/e2e/kill.e2e.test.ts',
  'packages/vault/src/batcher/lies.test.ts',
  'tests/wide/alerts.test.ts',
  'tests/e2e/lost-answers.e2e.test.ts',
  'tests/wide/log-cuts.test.ts',
  'packages/engine/sim/spread-seeds.test.ts',
  'tests/wide/downgrade.test.ts',
  'tests/wide/terminal-funds.test.ts',
  'tests/e2e/cli-live-money.e2e.test.ts',
  'tests/wide/naive-candles.test.ts',
  'tests/e2e/sdk-examples.e2e.test.ts',
  'tests/wide/edge.test.ts',
  'tests/wide/node-minor.test.ts',
  'packages/vault/src/crash.test.ts',
  'tests/wide/terminal-consequences.test.ts',
  'tests/e2e/sdk-outcome.e2e.test.ts',
  'tests/e2e/bench-quotes.e2e.test.ts',
  'tests/e2e/clients.e2e.test.ts',
  'tests/wide/terminal-fills.test.ts',
  'tests/e2e/statement.e2e.test.ts',
  'packages/vault/src/read-reserves.test.ts',
  'tests/wide/backup-postgres.test.ts',
  'tests/e2e/bench-orders.e2e.test.ts',
  'tests/e2e/sdk-stream.e2e.test.ts',
  'tests/wide/edge-batches.test.ts',
  'packages/log/src/postgres/upgrade.test.ts',
  'tests/e2e/sdk-functions.e2e.test.ts',
  'tests/wide/makers.test.ts',
  'packages/vault/src/watcher/reconciliation.test.ts',
  'packages/web/test/size.test.ts',
  'tests/wide/terminal-batches.test.ts',
  'tests/wide/terminal-marks.test.ts',
  'tests/wide/sign-in.test.ts',
  'tests/wide/two-people.test.ts',
  'tests/wide/idle-connections.test.ts',
  'tests/wide/runner.test.ts',
  'tests/wide/daily-files.test.ts',
  'packages/exchange/src/http/worst-bodies.test.ts',
  'packages/exchange/src/http/connection-bound.test.ts',
  'packages/vault/src/batcher/strangers.test.ts',
  'packages/vault/src/chain/servers.test.ts',
  'tests/e2e/bench-engine.e2e.test.ts',
  'packages/exchange/src/files/daily-files.test.ts',
  'tests/faults/options.test.ts',
  'packages/maker/src/set-faults.test.ts',
  'tests/e2e/sdk-package.e2e.test.ts',
  'tests/e2e/sdk-channels.e2e.test.ts',
  'packages/maker/src/in-the-way.test.ts',
  'tests/e2e/live-feed.e2e.test.ts',
  'packages/exchange/src/node-postgres.test.ts',
  'packages/audit/src/archive/archive-postgres.test.ts',
  'packages/log/src/postgres/reader.test.ts',
  'packages/log/src/postgres/link.test.ts',
  'packages/log/src/postgres/survey.test.ts',
  'tests/e2e/telemetry.e2e.test.ts',
  'packages/log/src/postgres/safety.test.ts',
];

/** Short files that share a process, in which what they import is read and compiled once. */
const FILES_PER_BATCH = 16;

export function isLong(file: string): boolean {
  return file.startsWith('tests/wide/') || LONG_TESTS.includes(file);
}

/** The files in the order in which they start, by process: long ones, slow ones, then the others with their neighbours. */
export function batches(files: readonly string[]): string[][] {
  const asked = (group: readonly string[]) => group.filter((file) => files.includes(file));
  const alone = LONG_TESTS.map((file) => [file]);
  const first = [...SHARED_MARKETS, ...alone, ...SLOW_TESTS].map(asked).filter((group) => group.length > 0);
  const placed = new Set(first.flat());
  const wide = files.filter((file) => isLong(file) && !placed.has(file));
  const short = files.filter((file) => !isLong(file) && !placed.has(file));
  const shared: string[][] = [];
  for (let from = 0; from < short.length; from += FILES_PER_BATCH)
    shared.push(short.slice(from, from + FILES_PER_BATCH));
  return [...first, ...wide.map((file) => [file]), ...shared];
}
