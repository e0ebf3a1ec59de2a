/**
 * A venue with real money, by the pages on deployment: the log on PostgreSQL with TLS, a vault on a chain, and nginx in
 * front, to the first fill and the first payout.
 */

// @seconds 90

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { MONEY_PROCESSES } from '../../packages/cli/src/init/places.ts';
import { unitEnvironment } from '../../packages/cli/src/init/unit.ts';
import { HermesServer } from '../../packages/feed/test/hermes-server.ts';
import { KrakenServer } from '../../packages/feed/test/kraken-server.ts';
import { type PostgresServer, whyNoPostgres } from '../../packages/log/test/postgres-server.ts';
import { type LocalAccount, type LocalChain, startChain } from '../../packages/vault/test/chain.ts';
import { eventually, freePort, Launched } from '../e2e/launched.ts';
import { skipBecause } from '../faults/machine.ts';
import { DeployedRoot, NAME } from './deployed-root.ts';
import { blocksUnder } from './drills-machine.ts';
import { type Nginx, startNginx, whyNoEdge } from './edge-server.ts';
import { startTlsPostgres } from './postgres-tls.ts';

const DEPLOY = 'how-to/deploy.md';
const [, REAL_MONEY = ''] = blocksUnder(DEPLOY, 'Settings');
const [, , GIVE_LOG = ''] = blocksUnder('how-to/fail-over.md', 'Setting it up');
const EDGE = [...blocksUnder(DEPLOY, 'A certificate'), ...blocksUnder(DEPLOY, 'The edge')].join('\n');
const [START = ''] = blocksUnder(DEPLOY, 'Start');

/** As the page names them. */
const PEOPLE = ['ann', 'bo'];
const DEPOSIT_MICROS = 50_000_000_000n;
const WITHDRAWN_USD = 1_000;
/** More than any chain needs to call a block final. */
const FINAL = 100;
const SPOT = 95_000;

describe('a venue with real money, as its pages set it up', {
  skip: skipBecause(whyNoEdge() ?? whyNoPostgres()),
}, () => {
  const root = new DeployedRoot();
  const launched: Launched[] = [];
  let server: PostgresServer;
  let chain: LocalChain;
  let kraken: KrakenServer;
  let hermes: HermesServer;
  let prices: NodeJS.Timeout;
  let nginx: Nginx | undefined;
  let vault: VaultAddresses;
  let port: number;
  let edgePort: number;
  let init = '';

  before(async () => {
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
    for (const one of launched) one.end();
    await nginx?.stop();
    await Promise.all([server.remove(), chain.stop(), kraken.stop(), hermes.stop()]);
    root.remove();
  });

  /** Starts a process with the environment that its unit gives it. */
  function start(name: string): void {
    const env = unitEnvironment(root.folder, name) as Record<string, string>;
    launched.push(new Launched([name], { env }));
  }

  test('the server refuses whatever comes without TLS', async () => {
    await assert.rejects(server.sql('SELECT 1'), /no pg_hba.conf entry for host .* no encryption/);
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
    init = await root.type(REAL_MONEY);
    await root.type(GIVE_LOG);
    for (const name of PEOPLE)
      await root.type(`mkdir -p ${root.path(name)}\nmv /etc/venue/secrets/handover/${name} ${tokenOf(name)}`);
    assert.equal(statSync(root.path('etc/venue/postgres-ca.pem')).mode & 0o777, 0o644);
    onThisMachine();
  });

  /** The file in which an operator has their secret, on a machine of their own. */
  function tokenOf(name: string): string {
    return join(root.path(name), 'operator-token');
  }

  /** Sets whatever differs from the page: one server without standbys, ports, folders, and where live prices come from. */
  function onThisMachine(): void {
    const url = `VENUE_URL=http://127.0.0.1:${port}`;
    const state = (name: string) => [
      url,
      `VENUE_${name.toUpperCase()}_STATE=${root.path(`${name}.json`)}`,
      `VENUE_${name.toUpperCase()}_METRICS_PORT=`,
    ];
    const settings: Record<string, string[]> = {
      exchange: [
        'VENUE_LOG_SINGLE=1',
        `VENUE_PORT=${port}`,
        'VENUE_DRAIN_MS=0',
        `VENUE_HISTORY=${root.path('history.db')}`,
        `VENUE_FILES=${root.path('files')}`,
      ],
      feed: [
        url,
        `VENUE_CRYPTO_URL=${kraken.url}`,
        `VENUE_PYTH_URL=${hermes.url}`,
        'VENUE_FEED_METRICS_PORT=',
      ],
      maker: [url, 'VENUE_MAKER_METRICS_PORT='],
      watcher: state('watcher'),
      batcher: state('batcher'),
    };
    for (const [name, lines] of Object.entries(settings)) {
      const path = root.path(`etc/venue/${name}.env`);
      writeFileSync(path, `${root.read(`etc/venue/${name}.env`)}${lines.join('\n')}\n`);
    }
    const log = root.read('etc/venue/secrets/log').replace('=/etc/venue', `=${root.path('etc/venue')}`);
    writeFileSync(root.path('etc/venue/secrets/log'), log);
  }

  test('PG-3: certificate and nginx; --check finds nothing wrong before the first start, on an empty database', async () => {
    const said = await root.type(EDGE);
    assert.doesNotMatch(said, /^wrong/m);
  });

  test('CFG-7: every process starts as its unit starts it, and two people bind the ledger by the line of init', async () => {
    for (const name of MONEY_PROCESSES) start(name);
    await root.type(START.replace(/^systemctl .*\n/, '').replace('127.0.0.1:8080', `127.0.0.1:${port}`));
    const line = init.split('\n').find((one) => one.includes('operator bind'))!;
    for (const name of PEOPLE)
      await root.type(line.replace('bind', 'bind --yes'), {
        VENUE_OPERATOR_TOKEN_FILE: tokenOf(name),
        FUNDER: chain.accounts[5]!.address,
        VENUE_URL: `http://127.0.0.1:${port}`,
      });
    nginx = await serveEdge();
    await assert.rejects(clientOf().market.venue(), /self-signed certificate|SELF_SIGNED/);
    trustCertificate();
    const { simulatedPrices, fundingMode } = await clientOf().market.venue();
    assert.deepEqual([fundingMode, simulatedPrices], ['deposits', false]);
  });

  /** nginx with what the pages wrote, on other ports, under a name that this machine takes for its own. */
  async function serveEdge(): Promise<Nginx> {
    const plainPort = await freePort();
    const change = (name: string, from: RegExp, to: string) => {
      const path = root.path(`nginx/machine/${name}.conf`);
      writeFileSync(path, root.read(`nginx/machine/${name}.conf`).replaceAll(from, to));
    };
    change('listen', /\b443\b/g, String(edgePort));
    change('plain', /\b80\b/g, String(plainPort));
    change('upstream', /8080/g, String(port));
    const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
    mock.method(dns, 'lookup', (name: string, ...rest: unknown[]) =>
      lookup(name === NAME ? '127.0.0.1' : name, ...rest),
    );
    return startNginx(root.path('nginx'), edgePort);
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
