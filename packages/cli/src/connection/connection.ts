/** Connects to the venue with a profile's keys. */

import { venueUrlFault } from '@venue/protocol/endpoint';
import { type Session, UnauthorizedError, VenueClient, type Wallet, walletFromPrivateKey } from '@venue/sdk';
import { CommandError, usageError } from '../base/command-error.ts';
import { venueReadUrl, venueUrl } from '../base/config.ts';
import { type Profile, profileOf, profileOption } from '../profile/profile.ts';
import { loadSession, type StoredSession } from '../profile/session-file.ts';
import { loadWallet } from '../profile/wallet-file.ts';
import { type OutputOptions, say } from '../terminal/output.ts';
import { knownPassword } from '../terminal/password.ts';

/** Options of every command for traders. */
export interface CommonOptions extends OutputOptions {
  readonly url?: string;
  /** Address of the followers; only commands that read have this option. */
  readonly readUrl?: string;
  readonly profile?: string;
}

/**
 * The address of the venue: from the option, from VENUE_URL, or on this machine. Throws an error for an invalid one.
 */
export function urlOf({ url = venueUrl() }: CommonOptions): string {
  const fault = venueUrlFault(url);
  if (fault !== null) throw usageError(`--url ${fault}`);
  // Spelled as the client does, so that each venue has one name in the files.
  return new VenueClient({ url }).url;
}

/** A client without a wallet, all of whose requests go to the nodes of the venue. */
export function publicClient(options: CommonOptions): VenueClient {
  return new VenueClient({ url: urlOf(options) });
}

/**
 * A client without a wallet whose reads and streams go to the followers, where the options or the environment name
 * some (FOL-5). Throws an error for an invalid address.
 */
export function readingClient(options: CommonOptions): VenueClient {
  const readUrl = readUrlOf(options);
  return new VenueClient({ url: urlOf(options), ...(readUrl !== null && { readUrl }) });
}

/** Tells people, beside an answer with prices, where these come from no market (FEED-1). */
export async function saySimulated({ market }: VenueClient, { json }: CommonOptions): Promise<void> {
  if (json) return;
  if ((await market.venue()).simulatedPrices) say('venue: prices are simulated');
}

/** VENUE_READ_URL belongs to VENUE_URL: the followers of one venue know nothing of another that `--url` names. */
function readUrlOf({ url, readUrl }: CommonOptions): string | null {
  if (readUrl === undefined) return url === undefined ? venueReadUrl() : null;
  const fault = venueUrlFault(readUrl);
  if (fault !== null) throw usageError(`--read-url ${fault}`);
  return readUrl;
}

/** A venue, and the wallet of a profile at it. */
export interface Trader {
  readonly client: VenueClient;
  readonly profile: Profile;
  readonly wallet: Wallet;
}

/** The wallet of the profile; sends nothing. */
export function traderOf(options: CommonOptions, client = publicClient(options)): Trader {
  const profile = profileOf(options.profile);
  return { client, profile, wallet: walletOf(profile) };
}

/** An encrypted wallet asks for its password once, and only if it has to sign. */
function walletOf(profile: Profile): Wallet {
  const { address, openKey } = loadWallet(profile);
  let opened: Promise<Wallet> | undefined;
  const open = async () => walletFromPrivateKey(await openKey(() => knownPassword(profile.walletPath)));
  const signMessage: Wallet['signMessage'] = async (text) => {
    opened ??= open();
    return (await opened).signMessage(text);
  };
  return { address, signMessage };
}

/**
 * A client that may read the account: by the approval of the session key, which takes one request, or by the wallet,
 * which takes two. It reads where `readingClient` does, and signs in at the nodes.
 */
export async function signedIn(options: CommonOptions): Promise<VenueClient> {
  const trader = traderOf(options, readingClient(options));
  await signIn(trader, storedSession(trader));
  return trader.client;
}

/** Gets a bearer token. If the venue refuses the session key, the wallet signs in. */
export async function signIn({ client, wallet }: Trader, session: Session | null): Promise<void> {
  if (session?.approval !== undefined && session.expiresAtMs > Date.now()) {
    client.auth.useSession(session);
    try {
      return await client.auth.renew();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    }
  }
  await client.auth.signIn(wallet);
}

/** A trader whose session key signs. */
export interface Signing extends Trader {
  readonly session: Session;
}

/**
 * A client whose writes are signed by the profile's session key. Throws `CommandError` without a live one; sends
 * nothing.
 */
export function signing(options: CommonOptions): Signing {
  const trader = traderOf(options);
  const session = liveSession(trader);
  trader.client.auth.useSession(session);
  return { ...trader, session };
}

/** The session key approved here for this wallet at this venue, live or not. */
function storedSession({ client, profile, wallet }: Trader): StoredSession | null {
  const session = loadSession(profile, client.url);
  return session?.account === wallet.address.toLowerCase() ? session : null;
}

function liveSession(trader: Trader): Session {
  const { client, profile } = trader;
  const session = storedSession(trader);
  const remedy = `run "venue session approve${profileOption(profile)}"`;
  if (session === null)
    throw new CommandError(`profile ${profile.name} has no session key for ${client.url}: ${remedy}`);
  if (session.expiresAtMs <= Date.now())
    throw new CommandError(
      `the session key expired at ${new Date(session.expiresAtMs).toISOString()}: ${remedy}`,
    );
  return session;
}
