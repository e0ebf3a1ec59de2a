/**
 * Test files that take seconds, the longest first. They start before all others, so that no core is left waiting for the
 * one long file that came last. A new file of more than about four seconds belongs here.
 */
export const LONG_TESTS: readonly string[] = [
  'packages/engine/sim/simulation.test.ts',
  'tests/e2e/up.e2e.test.ts',
  'tests/e2e/verify.e2e.test.ts',
  'tests/e2e/bench-reads.e2e.test.ts',
  'packages/log/src/postgres.test.ts',
  'tests/e2e/contract.e2e.test.ts',
  'tests/e2e/cli-trader.e2e.test.ts',
  'tests/e2e/docs.e2e.test.ts',
  'packages/maker/src/run.test.ts',
  'tests/e2e/kill.e2e.test.ts',
  'tests/e2e/clients.e2e.test.ts',
  'packages/exchange/src/main.test.ts',
  'packages/vault/test/solidity.test.ts',
  'packages/feed/src/upstream/crypto.test.ts',
  'packages/exchange/sim/simulation.test.ts',
  'tests/e2e/sdk-stream.e2e.test.ts',
  'tests/e2e/settlement-crash.e2e.test.ts',
  'tests/e2e/sdk-examples.e2e.test.ts',
  'packages/log/src/sqlite.test.ts',
  'tests/e2e/cli-live-money.e2e.test.ts',
  'tests/e2e/bench-orders.e2e.test.ts',
  'packages/exchange/src/node-postgres.test.ts',
  'packages/vault/src/watcher/run.test.ts',
  'packages/cli/src/operator.test.ts',
  'packages/vault/src/crash.test.ts',
  'tests/e2e/paper.e2e.test.ts',
  'packages/exchange/src/verify/tampering.test.ts',
  'packages/exchange/src/node.test.ts',
  'packages/vault/src/watcher/lies.test.ts',
  'packages/vault/src/batcher/run.test.ts',
  'packages/log/src/postgres-link.test.ts',
  'packages/cli/src/operator-custody.test.ts',
  'packages/exchange/src/openapi.test.ts',
  'tests/e2e/statement.e2e.test.ts',
  'packages/feed/src/upstream/pyth.test.ts',
  'packages/exchange/src/archive/archive.test.ts',
  'tests/e2e/live-feed.e2e.test.ts',
  'packages/exchange/src/http/routes/operator.test.ts',
  'packages/vault/src/batcher/strangers.test.ts',
  'packages/cli/src/custody.test.ts',
  // The wide suites, which run by themselves.
  'tests/wide/patroni.test.ts',
  'tests/wide/drills.test.ts',
  'tests/wide/cluster.test.ts',
  'tests/wide/postgres.test.ts',
  'tests/wide/custody.test.ts',
  'tests/wide/terminal-link.test.ts',
  'tests/wide/soak.test.ts',
  'tests/wide/terminal-axe.test.ts',
  'tests/wide/terminal-session.test.ts',
  'tests/wide/expiry.test.ts',
  'tests/wide/terminal-expiry.test.ts',
  'tests/wide/edge.test.ts',
  'tests/wide/terminal-account.test.ts',
  'tests/wide/terminal-funds.test.ts',
  'tests/wide/terminal-admin.test.ts',
  'tests/wide/terminal-charts.test.ts',
  'tests/wide/terminal-access.test.ts',
  'tests/wide/terminal-layout.test.ts',
  'tests/wide/terminal-ticket.test.ts',
  'tests/wide/terminal-large.test.ts',
];

/** The files in the order in which they start: long ones first, then the others as they came. */
export function longestFirst(files: readonly string[]): string[] {
  const present = new Set(files);
  const long = new Set(LONG_TESTS);
  return [...LONG_TESTS.filter((file) => present.has(file)), ...files.filter((file) => !long.has(file))];
}
