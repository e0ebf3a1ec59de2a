/** `venue session approve|list|revoke`: the keys that sign for a wallet, each until it expires. */

import { parseAddress, type SessionRecord } from '@venue/protocol';
import { CommandError, usageError } from '../../base/command-error.ts';
import { type CommonOptions, traderOf } from '../../connection/connection.ts';
import { forgetSession, loadSession, storeSession } from '../../profile/session-file.ts';
import { show } from '../../terminal/output.ts';
import { type Column, pairs, table } from '../../terminal/table.ts';
import { timeLeft, utcSecond } from '../../terminal/times.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 30;
/** The venue counts thirty days by its own clock, which may be behind this one. */
const CLOCK_SLACK_MS = 60_000;

export interface ApproveOptions extends CommonOptions {
  readonly days: string;
}

/** Creates a session key, has the wallet approve it, and stores it for later commands. */
export async function runApproveCommand(options: ApproveOptions): Promise<void> {
  const lifetimeMs = Math.min(daysOf(options.days) * DAY_MS, DAYS_MAX * DAY_MS - CLOCK_SLACK_MS);
  const { client, profile, wallet } = traderOf(options);
  const before = loadSession(profile, client.url);
  const session = await client.auth.approveSession(wallet, { lifetimeMs });
  storeSession(profile, { url: client.url, ...session });
  const { account, sessionKey, expiresAtMs } = session;
  const isOpen = before !== null && before.expiresAtMs > Date.now() && before.account === account;
  const value = { profile: profile.name, url: client.url, account, sessionKey, expiresAt: expiresAtMs };
  show(options, value, (page) => [
    ...pairs(
      [
        ['session key', sessionKey],
        ['signs for', `${account} at ${client.url}`],
        ['expires', expiry(expiresAtMs)],
        ['file', profile.sessionsPath],
      ],
      page,
    ),
    ...(isOpen
      ? [`The key before it stays good until it expires: venue session revoke ${before.sessionKey}`]
      : []),
  ]);
}

function daysOf(text: string): number {
  const days = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (days <= 0 || days > DAYS_MAX)
    throw usageError(`--days must be more than 0 and at most ${DAYS_MAX}, not "${text}"`);
  return days;
}

function expiry(ms: number): string {
  return `${utcSecond(ms)} UTC, in ${timeLeft(ms - Date.now())}`;
}

/** Lists the keys that the venue accepts for the wallet, and marks the one on this machine. */
export async function runListCommand(options: CommonOptions): Promise<void> {
  const { client, profile, wallet } = traderOf(options);
  const here = loadSession(profile, client.url)?.sessionKey;
  const sessions = await client.auth.sessions(wallet.address);
  const rows = sessions.map((session) => ({ ...session, inUse: session.sessionKey === here }));
  show(options, rows, (page) =>
    rows.length === 0 ? ['no live session key'] : table(columns(Date.now()), rows, page),
  );
}

type Row = SessionRecord & { readonly inUse: boolean };

function columns(nowMs: number): Column<Row>[] {
  return [
    { title: 'session key', cell: ({ sessionKey }) => sessionKey, rank: 0, shortest: 13 },
    { title: 'expires (UTC)', cell: ({ expiresAt }) => utcSecond(expiresAt), rank: 2 },
    { title: 'left', cell: ({ expiresAt }) => timeLeft(expiresAt - nowMs), rank: 1 },
    { title: 'approved (UTC)', cell: ({ approvedAt }) => utcSecond(approvedAt), rank: 4 },
    { title: 'here', cell: ({ inUse }) => (inUse ? 'in use' : ''), rank: 3, style: () => 'green' },
  ];
}

/** Has the wallet revoke a key permanently (KEY-3): the one in use here, or the one named. */
export async function runRevokeCommand(key: string | undefined, options: CommonOptions): Promise<void> {
  if (key !== undefined && parseAddress(key) === undefined)
    throw usageError(`a session key is 0x and 40 hex digits, not "${key}"; "venue session list" shows them`);
  const { client, profile, wallet } = traderOf(options);
  const stored = loadSession(profile, client.url);
  const sessionKey = key?.toLowerCase() ?? stored?.sessionKey;
  if (sessionKey === undefined)
    throw usageError(
      `no session key is in use here for ${client.url}: name one, as "venue session list" shows it`,
    );
  const known = knownExpiry(sessionKey, stored);
  const answer = await client.auth.revokeSession(wallet, sessionKey, known).catch((error) => {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`${sessionKey} is no live session key of ${wallet.address}`);
  });
  forgetSession(profile, sessionKey);
  show(options, answer, () => [`${sessionKey} signs nothing more`]);
}

/** The expiry of a key in use here is known; for another the venue is asked. */
function knownExpiry(
  sessionKey: string,
  stored: { readonly sessionKey: string; readonly expiresAtMs: number } | null,
): { expiresAtMs?: number } {
  return stored?.sessionKey === sessionKey ? { expiresAtMs: stored.expiresAtMs } : {};
}
