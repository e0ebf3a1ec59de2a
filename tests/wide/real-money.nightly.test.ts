/**
 * A venue with real money, by the pages on deployment, on a bare Debian 12: installed from nothing, the log on PostgreSQL
 * with TLS, a vault on a chain, and nginx in front, to the first fill and the first payout.
 */

// @seconds 420

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { after, before, describe, mock, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { VenueClient } from '@venue/sdk';
import {
  deployTestStablecoin,
  readAddresses,
  testStablecoinAbi,
  type VaultAddresses,
  venueVaultAbi,
} from '@venue/vault';
import { erc20Abi } from 'viem';
import { HermesServer } from '../../packages/feed/test/hermes-server.ts';
import { KrakenServer } from '../../packages/feed/test/kraken-server.ts';
import { type PostgresServer, whyNoPostgres } from '../../packages/log/test/postgres-server.ts';
import { type LocalAccount, type LocalChain, startChain } from '../../packages/vault/test/chain.ts';
import { eventually, freePort } from '../e2e/launched.ts';
import { skipBecause } from '../faults/machine.ts';
import { CleanRoot, skipWithoutCleanRoot } from './clean-root.ts';
import { blocksUnder } from './drills-machine.ts';
import { startTlsPostgres } from './postgres-tls.ts';

const DEPLOY = 'how-to/deploy.md';
const INSTALL = ['On Debian 12', 'Install'].flatMap((heading) => blocksUnder(DEPLOY, heading)).join('\n');
const [, REAL_MONEY = ''] = blocksUnder(DEPLOY, 'Settings');
const [, , GIVE_LOG = ''] = blocksUnder('how-to/fail-over.md', 'Setting it up');
const EDGE = [...blocksUnder(DEPLOY, 'A certificate'), ...blocksUnder(DEPLOY, 'The edge')].join('\n');
const [START = ''] = blocksUnder(DEPLOY, 'Start');
/** The name under which clients reach the venue. */
const NAME = 'options.example.org';
/** Takes the place of a public authority: a certificate that is its own, where certbot would put one. */
const CERTBOT = `#!/bin/sh
set -eu
[ "$1" = certonly ] || exit 0
folder=/etc/letsencrypt/live/$NAME
mkdir -p "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$NAME" \\
  -addext "subjectAltName=DNS:$NAME" -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem"
`;

/** As the page names them. */
const PEOPLE = ['ann', 'bo'];
const DEPOSIT_MICROS = 50_000_000_000n;
const WITHDRAWN_USD = 1_000;
/** More than any chain needs to call a block final. */
const FINAL = 100;
const SPOT = 95_000;

describe('a venue with real money, as its pages set it up', {
  skip: (await skipWithoutCleanRoot()) || skipBecause(whyNoPostgres()),
}, () => {
  let root: CleanRoot;
  let server: PostgresServer;
  let chain: LocalChain;
  let kraken: KrakenServer;
  let hermes: HermesServer;
  let prices: NodeJS.Timeout;
  let vault: VaultAddresses;
  let port: number;
  let edgePort: number;
  let init = '';

  before(async () => {
    root = await CleanRoot.create('bookworm');
    [server, chain, kraken, hermes] = await Promise.all([
      startTlsPostgres(root.path('root')),
      startChain(),
      KrakenServer.start(),
      HermesServer.start(),
    ]);
    port = await freePort();
    edgePort = await freePort();
    prices = setInterval(() => kraken.trade('BTC/USD', SPOT), 100);
  });
  after(async () => {
    clearInterval(prices);
    mock.restoreAll();
    root?.remove();
    await Promise.all([server?.remove(), chain?.stop(), kraken?.stop(), hermes?.stop()]);
  });

  test('the server refuses whatever comes without TLS', async () => {
    await assert.rejects(server.sql('SELECT 1'), /no pg_hba.conf entry for host .* no encryption/);
  });

  test('the release is installed on a bare Debian', async () => {
    await root.type(INSTALL);
  });

  test('CFG-7: the vault, two people and the settings, by the commands of the pages', async () => {
    const [deployer, operator, failsafe] = chain.accounts as LocalAccount[];
    const token = await deployTestStablecoin({ rpcUrl: chain.rpcUrl, deployerKey: deployer!.privateKey });
    const roles = `--token ${token} --operator ${operator!.address} --failsafe ${failsafe!.address}`;
    await root.type(`venue vault deploy --rpc ${chain.rpcUrl} ${roles}`, {
      VENUE_DEPLOYER_KEY: deployer!.privateKey,
    });
    await root.type(`venue vault verify --rpc ${chain.rpcUrl} --file vault.json`);
    vault = readAddresses(root.path('root/vault.json'));
    writeFileSync(
      root.path('root/rpc-urls'),
      `${chain.rpcUrl},${chain.rpcUrl.replace('127.0.0.1', 'localhost')}\n`,
    );
    writeFileSync(root.path('root/operator-key'), `${operator!.privateKey}\n`);
    init = await root.type(REAL_MONEY, { NAME });
    await root.type(GIVE_LOG);
    for (const name of PEOPLE)
      await root.type(`mkdir -p /home/${name}\nmv /etc/venue/secrets/handover/${name} ${tokenOf(name)}`);
    assert.equal(statSync(root.path('etc/venue/postgres-ca.pem')).mode & 0o777, 0o644);
    onThisMachine();
  });

  /** The file in which an operator has their secret, on a machine of their own. */
  function tokenOf(name: string): string {
    return `/home/${name}/operator-token`;
  }

  /** Sets whatever differs from the page: one server without standbys, ports, and where live prices come from. */
  function onThisMachine(): void {
    const url = `VENUE_URL=http://127.0.0.1:${port}`;
    const settings: Record<string, string[]> = {
      exchange: ['VENUE_LOG_SINGLE=1', `VENUE_PORT=${port}`, 'VENUE_DRAIN_MS=0'],
      feed: [url, `VENUE_CRYPTO_URL=${kraken.url}`, `VENUE_PYTH_URL=${hermes.url}`],
      maker: [url],
      watcher: [url],
      batcher: [url],
    };
    for (const [name, lines] of Object.entries(settings)) {
      const noMetrics = name === 'exchange' ? [] : [`VENUE_${name.toUpperCase()}_METRICS_PORT=`];
      appendFileSync(root.path(`etc/venue/${name}.env`), `${[...lines, ...noMetrics].join('\n')}\n`);
    }
  }

  test('PG-3: certificate and nginx; --check finds nothing wrong before the first start, on an empty database', async () => {
    root.program('certbot', CERTBOT);
    const said = await root.type(EDGE, { NAME, MAIL: 'ops@example.org' });
    assert.doesNotMatch(said, /^wrong/m);
  });

  test('CFG-7: every process starts as its unit starts it, and two people bind the ledger by the line of init', async () => {
    const [start] = /systemctl enable --now venue-exchange .*/.exec(init)!;
    await root.type(start);
    await root.type(START.replace('127.0.0.1:8080', `127.0.0.1:${port}`));
    const line = init.split('\n').find((one) => one.includes('operator bind'))!;
    for (const name of PEOPLE)
      await root.type(line.replace('bind', 'bind --yes'), {
        VENUE_OPERATOR_TOKEN_FILE: tokenOf(name),
        FUNDER: chain.accounts[5]!.address,
        VENUE_URL: `http://127.0.0.1:${port}`,
      });
    await serveEdge();
    await assert.rejects(clientOf().market.venue(), /self-signed certificate|SELF_SIGNED/);
    trustCertificate();
    const { simulatedPrices, fundingMode } = await clientOf().market.venue();
    assert.deepEqual([fundingMode, simulatedPrices], ['deposits', false]);
  });

  /** nginx with what the pages wrote, on other ports, under a name that this machine takes for its own. */
  async function serveEdge(): Promise<void> {
    const plainPort = await freePort();
    const change = (name: string, from: RegExp, to: string) => {
      const path = `etc/nginx/machine/${name}.conf`;
      writeFileSync(root.path(path), root.read(path).replaceAll(from, to));
    };
    change('listen', /\b443\b/g, String(edgePort));
    change('plain', /\b80\b/g, String(plainPort));
    change('upstream', /8080/g, String(port));
    const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
    mock.method(dns, 'lookup', (name: string, ...rest: unknown[]) =>
      lookup(name === NAME ? '127.0.0.1' : name, ...rest),
    );
    await root.type('nginx >/dev/null 2>&1');
  }

  /** In place of an authority that machines trust anyway. */
  function trustCertificate(): void {
    const own = root.read(`etc/letsencrypt/live/${NAME}/fullchain.pem`);
    setDefaultCACertificates([...getCACertificates(), own]);
  }

  function clientOf(): VenueClient {
    return new VenueClient({ url: `https://${NAME}:${edgePort}` });
  }

  let buyer: VenueClient;

  test('two wallets sign in over HTTPS, pay into the vault, and trade to the first fill', async () => {
    const [, , , first, second, house] = chain.accounts as LocalAccount[];
    await payIn(house!);
    const [seller, other] = await Promise.all([first!, second!].map(traderOf));
    buyer = other!;
    await chain.client.mine({ blocks: FINAL });
    for (const venue of [seller!, buyer])
      await eventually(
        'the deposit is credited',
        async () => (await venue.account.me()).cash === Number(DEPOSIT_MICROS) / 1e6,
      );
    const { seriesId, price } = await eventually('the market maker quotes', () => quotedCall(buyer));
    await seller!.orders.setMargin(true);
    const asked = await seller!.orders.place({ seriesId, side: 'sell', qty: 0.1, price });
    assert.equal(asked.status, 'rested', JSON.stringify(asked));
    const { status, fills } = await buyer.orders.place({ seriesId, side: 'buy', qty: 0.1, price });
    assert.deepEqual([status, fills.map(({ price, qty }) => [price, qty])], ['filled', [[price, 0.1]]]);
  });

  /** A call that the maker quotes, with a price between its bid and its ask. */
  async function quotedCall(venue: VenueClient) {
    const { expiryTs } = (await venue.market.series('BTC')).at(-1) ?? {};
    if (expiryTs === undefined) return null;
    const { rows } = await venue.market.chain('BTC', expiryTs);
    const { seriesId, bid, ask } = rows.find(({ strike, call }) => strike > SPOT && call?.bid)?.call ?? {};
    if (!seriesId || !bid || !ask) return null;
    return { seriesId, price: Math.round((bid.price + ask.price) * 50) / 100 };
  }

  /** Signs in, and pays into the vault. */
  async function traderOf(wallet: LocalAccount): Promise<VenueClient> {
    const venue = clientOf();
    await venue.auth.approveSession(wallet);
    await payIn(wallet);
    return venue;
  }

  async function payIn(wallet: LocalAccount): Promise<void> {
    const client = chain.wallet(wallet);
    const token = { address: vault.token, abi: testStablecoinAbi } as const;
    for (const hash of [
      await client.writeContract({ ...token, functionName: 'mint', args: [wallet.address, DEPOSIT_MICROS] }),
      await client.writeContract({ ...token, functionName: 'approve', args: [vault.vault, DEPOSIT_MICROS] }),
      await client.writeContract({
        address: vault.vault,
        abi: venueVaultAbi,
        functionName: 'deposit',
        args: [DEPOSIT_MICROS],
      }),
    ])
      assert.equal((await chain.client.waitForTransactionReceipt({ hash })).status, 'success');
  }

  test('a withdrawal is committed on the chain, and its wallet claims it', async () => {
    const { id } = await buyer.withdrawals.request(WITHDRAWN_USD);
    await eventually('the payout is noted as committed', async () => {
      await chain.client.mine({ blocks: FINAL });
      return (await buyer.withdrawals.find(id)).state === 'committed';
    });
    const wallet = chain.accounts[4]!;
    const claim = { address: vault.vault, abi: venueVaultAbi, functionName: 'claim' } as const;
    await chain.client.waitForTransactionReceipt({ hash: await chain.wallet(wallet).writeContract(claim) });
    const balance = {
      address: vault.token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [wallet.address],
    } as const;
    assert.equal(await chain.client.readContract(balance), BigInt(WITHDRAWN_USD) * 1_000_000n);
  });

  test('CFG-7: at the end --check finds nothing wrong, and the log proves', async () => {
    assert.doesNotMatch(await root.type('venue init --check'), /^wrong/m);
    const { facts } = JSON.parse(
      await root.type('VENUE_LOG_FILE=/etc/venue/secrets/log venue verify --json'),
    );
    assert.equal(facts.verdict, 'verified');
    const { deposits, withdrawals, committedMicros } = facts.entries.custody;
    assert.deepEqual([deposits, withdrawals, committedMicros], [3, 1, `${WITHDRAWN_USD}000000`]);
  });
});
