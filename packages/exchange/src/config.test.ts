import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { ConfigError } from '@venue/config';
import { BPS, FEATURE_LEVEL, HAND_BPS_MAX, SOURCES_PER_SYMBOL_MAX } from '@venue/engine';
import { loadConfig } from './config.ts';

const SECRETS = {
  VENUE_OPERATOR_TOKEN: 'o'.repeat(32),
  VENUE_MAKER_TOKEN: 'm'.repeat(32),
  VENUE_FEED_TOKEN: 'f'.repeat(32),
  VENUE_SETTLE_TOKEN_1: '1'.repeat(32),
  VENUE_SETTLE_TOKEN_2: '2'.repeat(32),
};

describe('the environment', () => {
  it('describes a paper venue on the loopback address by default', () => {
    const config = loadConfig({});
    assert.equal(`${config.host}:${config.port}`, '127.0.0.1:8080');
    assert.equal(config.log, 'sqlite:./data/venue.db');
    assert.equal(config.signingRequired, false);
    assert.equal(config.wsTickMs, 250);
    assert.deepEqual(config.parameters, {
      fundingMode: 'paper',
      marginPremium: 'mark',
      symbols: [
        { symbol: 'BTC', assetClass: 'crypto' },
        { symbol: 'ETH', assetClass: 'crypto' },
        { symbol: 'AAPL', assetClass: 'equity' },
        { symbol: 'SPX', assetClass: 'index' },
      ],
      paperCashMicros: 100_000_000_000,
      houseLineMicros: 10_000_000_000_000,
      strikesPerSide: 20,
      maintenanceMs: 5_000,
      quoteTtlMs: 30_000,
      noncesPerKeyMax: 16_384,
      version: FEATURE_LEVEL,
      sourceStaleMs: 60_000,
      oracle: { minSources: 2, staleMs: 60_000, dispersionBps: 100, handBps: 100 },
      riskMark: 'book',
      markMakers: [],
      impactMicros: 1_000_000_000,
      paperMakerCashMicros: 10_000_000_000_000,
      setLevelsMax: 250_000,
      jumpStopBps: 0,
      payoutMinMicros: 0,
      houseLineFunded: false,
    });
  });

  it('keeps the history beside the log, or where it says, or nowhere, but never in the log', () => {
    const historyOf = (env: Record<string, string>) => loadConfig(env).history;
    assert.equal(historyOf({}), './data/venue-history.db');
    assert.equal(historyOf({ VENUE_LOG: 'sqlite:/x/log.sqlite' }), '/x/log.sqlite-history.db');
    assert.equal(historyOf({ VENUE_LOG: 'postgres://db/venue' }), './data/history.db');
    assert.equal(historyOf({ VENUE_HISTORY: '/y/history.db' }), '/y/history.db');
    assert.equal(historyOf({ VENUE_HISTORY: 'off' }), null);
    assert.throws(() => loadConfig({ VENUE_LOG: 'sqlite:x/v.db', VENUE_HISTORY: './x/v.db' }), {
      name: 'ConfigError',
      message: 'VENUE_HISTORY names the file of the log; name another one',
    });
  });

  it('treats an empty variable as absent', () => {
    assert.deepEqual(loadConfig({ VENUE_PORT: '', VENUE_SYMBOLS: '' }), loadConfig({}));
  });

  it('takes the limits of the oracle, and the bound of hand settlement up to its ceiling (FINE-4)', () => {
    const { parameters } = loadConfig({
      VENUE_ORACLE_MIN_SOURCES: '3',
      VENUE_ORACLE_STALE_MS: '5000',
      VENUE_ORACLE_DISPERSION_BPS: '0',
      VENUE_ORACLE_HAND_BPS: '1000',
    });
    assert.deepEqual(parameters.oracle, { minSources: 3, staleMs: 5_000, dispersionBps: 0, handBps: 1_000 });
    assert.equal(parameters.sourceStaleMs, 5_000);
  });

  it('RSK-1 takes where marks come from, who annotates them, and what bends them', () => {
    const makers = [`0x${'A'.repeat(40)}`, `0x${'b'.repeat(40)}`];
    const { parameters } = loadConfig({
      VENUE_RISK_MARK: 'model',
      VENUE_MARK_MAKERS: makers.join(', '),
      VENUE_IMPACT_USD: '250.5',
      VENUE_PAPER_MAKER_CASH: '7',
    });
    const { riskMark, markMakers, impactMicros, paperMakerCashMicros } = parameters;
    assert.deepEqual(
      [riskMark, markMakers, impactMicros, paperMakerCashMicros],
      ['model', makers.map((one) => one.toLowerCase()), 250_500_000, 7_000_000],
    );
    const many = Array.from({ length: 65 }, (_, at) => `0x${String(at).padStart(40, '0')}`);
    for (const [name, value] of [
      ['VENUE_RISK_MARK', 'median'],
      ['VENUE_MARK_MAKERS', '0x12'],
      ['VENUE_MARK_MAKERS', `${makers[0]},${makers[0]!.toLowerCase()}`],
      ['VENUE_MARK_MAKERS', many.join(',')],
      ['VENUE_IMPACT_USD', '-1'],
      ['VENUE_PAPER_MAKER_CASH', '1e9'],
    ] as const) {
      assert.throws(() => loadConfig({ [name]: value }), {
        name: ConfigError.name,
        message: new RegExp(`^${name} must be [^\n]*$`),
      });
    }
    loadConfig({ VENUE_MARK_MAKERS: many.slice(1).join(',') });
  });

  it('RSK-1 RSK-5 the shipped profile for real money takes the marks of the model, and stops at jumps', () => {
    const profile = new URL('../../../deploy/systemd/real-money.env', import.meta.url);
    const { parameters } = loadConfig({
      ...SECRETS,
      VENUE_DEPOSIT_TOKEN: 'd'.repeat(32),
      VENUE_PAYOUT_TOKEN: 'p'.repeat(32),
      ...parseEnv(readFileSync(profile, 'utf8')),
    });
    const { fundingMode, riskMark, jumpStopBps } = parameters;
    assert.deepEqual([fundingMode, riskMark, jumpStopBps], ['deposits', 'model', 1_500]);
  });

  it('bounds the oracle as the engine does (FINE-4)', () => {
    for (const [name, max] of [
      ['VENUE_ORACLE_MIN_SOURCES', SOURCES_PER_SYMBOL_MAX],
      ['VENUE_ORACLE_DISPERSION_BPS', BPS],
      ['VENUE_ORACLE_HAND_BPS', HAND_BPS_MAX],
      ['VENUE_JUMP_STOP_BPS', BPS],
    ] as const) {
      loadConfig({ [name]: String(max) });
      assert.throws(() => loadConfig({ [name]: String(max + 1) }), {
        message: new RegExp(`^${name} .* to ${max}, not`),
      });
    }
  });

  it('refuses a settlement secret that doubles as another secret, even in paper mode (CRED-1)', () => {
    const secret = 's'.repeat(32);
    for (const other of ['SETTLE_TOKEN_2', 'OPERATOR_TOKEN', 'MAKER_TOKEN', 'FEED_TOKEN']) {
      assert.throws(() => loadConfig({ VENUE_SETTLE_TOKEN_1: secret, [`VENUE_${other}`]: secret }), {
        name: 'ConfigError',
        message: `VENUE_SETTLE_TOKEN_1 must differ from VENUE_${other}`,
      });
    }
    assert.equal(loadConfig({ VENUE_SETTLE_TOKEN_1: secret }).secrets.settle1, secret);
    loadConfig({ VENUE_OPERATOR_TOKEN: 'short', VENUE_MAKER_TOKEN: 'short', VENUE_FEED_TOKEN: 'short' });
  });

  it('takes the hash of a settlement secret in place of it, and not both (CUS-10)', () => {
    const secret = 's'.repeat(32);
    const sha256 = createHash('sha256').update(secret).digest('hex');
    const env = { VENUE_SETTLE_HASH_1: sha256.toUpperCase() };
    assert.deepEqual(loadConfig(env).secrets.settle1, { sha256 });
    assert.throws(() => loadConfig({ ...env, VENUE_SETTLE_TOKEN_1: secret }), {
      name: 'ConfigError',
      message: 'VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_HASH_1 are both set: keep one of them',
    });
    for (const other of ['OPERATOR_TOKEN', 'PAYOUT_TOKEN', 'SETTLE_TOKEN_2', 'METRICS_TOKEN']) {
      assert.throws(() => loadConfig({ ...env, [`VENUE_${other}`]: secret }), {
        name: 'ConfigError',
        message: /^VENUE_(SETTLE_HASH_1|METRICS_TOKEN) must differ from VENUE_/,
      });
    }
    assert.throws(
      () => loadConfig({ VENUE_SETTLE_HASH_1: secret }),
      /^ConfigError: VENUE_SETTLE_HASH_1 must be 64 hex digits/,
    );
    const deposits = { ...SECRETS, VENUE_FUNDING_MODE: 'deposits' };
    const { VENUE_SETTLE_TOKEN_1: _1, VENUE_SETTLE_TOKEN_2: _2, ...rest } = deposits;
    const hashes = { VENUE_SETTLE_HASH_1: 'a'.repeat(64), VENUE_SETTLE_HASH_2: 'b'.repeat(64) };
    loadConfig({ ...rest, ...hashes });
    assert.throws(() => loadConfig({ ...rest, VENUE_SETTLE_HASH_1: 'a'.repeat(64) }), {
      message: 'VENUE_SETTLE_TOKEN_2 or VENUE_SETTLE_HASH_2 is required in deposits mode',
    });
  });

  it('makes signing mandatory by flag, and in deposits mode regardless of the flag (AUTH-3)', () => {
    assert.equal(loadConfig({ VENUE_REQUIRE_SIGNED_ORDERS: '1' }).signingRequired, true);
    const deposits = loadConfig({
      ...SECRETS,
      VENUE_FUNDING_MODE: 'deposits',
      VENUE_REQUIRE_SIGNED_ORDERS: '0',
    });
    assert.equal(deposits.signingRequired, true);
    assert.equal(deposits.parameters.marginPremium, 'intrinsic');
  });

  const REFUSALS: [string, string, string][] = [
    ['VENUE_PORT', 'abc', 'VENUE_PORT must be an integer from 0 to 65535, not "abc"'],
    ['VENUE_PORT', '65536', 'VENUE_PORT must be an integer from 0 to 65535, not "65536"'],
    ['VENUE_PORT', '-1', 'VENUE_PORT must be an integer from 0 to 65535, not "-1"'],
    ['VENUE_PORT', '80.5', 'VENUE_PORT must be an integer from 0 to 65535, not "80.5"'],
    ['VENUE_FUNDING_MODE', 'live', 'VENUE_FUNDING_MODE must be paper or deposits, not "live"'],
    ['VENUE_REQUIRE_SIGNED_ORDERS', 'yes', 'VENUE_REQUIRE_SIGNED_ORDERS must be 0 or 1, not "yes"'],
    [
      'VENUE_LOG',
      'mysql://u:secret@h',
      'VENUE_LOG: a log is named by sqlite:<path> or postgres://user:password@host/database',
    ],
    [
      'VENUE_SYMBOLS',
      'ALL:index',
      'VENUE_SYMBOLS must be a list like AAPL:equity,SPX:index,BTC:crypto with each symbol once, not "ALL:index"',
    ],
    [
      'VENUE_SYMBOLS',
      'BTC',
      'VENUE_SYMBOLS must be a list like AAPL:equity,SPX:index,BTC:crypto with each symbol once, not "BTC"',
    ],
    [
      'VENUE_SYMBOLS',
      'BTC:coin',
      'VENUE_SYMBOLS must be a list like AAPL:equity,SPX:index,BTC:crypto with each symbol once, not "BTC:coin"',
    ],
    [
      'VENUE_SYMBOLS',
      'A:index,A:equity',
      'VENUE_SYMBOLS must be a list like AAPL:equity,SPX:index,BTC:crypto with each symbol once, not "A:index,A:equity"',
    ],
    [
      'VENUE_PAPER_CASH',
      '1e5',
      'VENUE_PAPER_CASH must be an amount in US dollars from 0 to 1000000000, not "1e5"',
    ],
    [
      'VENUE_HOUSE_LINE',
      '-1',
      'VENUE_HOUSE_LINE must be an amount in US dollars from 0 to 1000000000, not "-1"',
    ],
    ['VENUE_MAINTENANCE_MS', '0', 'VENUE_MAINTENANCE_MS must be an integer from 100 to 3600000, not "0"'],
    ['VENUE_ORACLE_MIN_SOURCES', '0', 'VENUE_ORACLE_MIN_SOURCES must be an integer from 1 to 16, not "0"'],
    [
      'VENUE_ORACLE_STALE_MS',
      '999',
      'VENUE_ORACLE_STALE_MS must be an integer from 1000 to 86400000, not "999"',
    ],
    [
      'VENUE_ORACLE_DISPERSION_BPS',
      '10001',
      'VENUE_ORACLE_DISPERSION_BPS must be an integer from 0 to 10000, not "10001"',
    ],
    ['VENUE_ORACLE_HAND_BPS', '1001', 'VENUE_ORACLE_HAND_BPS must be an integer from 0 to 1000, not "1001"'],
    ['VENUE_SKIP_SEQ', '3,x', 'VENUE_SKIP_SEQ must be sequence numbers separated by commas, not "3,x"'],
  ];
  for (const [name, value, message] of REFUSALS) {
    it(`refuses ${name}=${value} in one line`, () => {
      assert.throws(() => loadConfig({ [name]: value }), { name: 'ConfigError', message });
    });
  }

  it('takes a metrics token that is long enough and equals no other secret (OWN-71)', () => {
    const token = 't'.repeat(32);
    assert.equal(loadConfig({ VENUE_METRICS_TOKEN: token }).metricsToken, token);
    assert.equal(loadConfig({}).metricsToken, null);
    for (const [name, value, reason] of [
      ['VENUE_OPERATOR_TOKEN', token, 'must differ from VENUE_OPERATOR_TOKEN'],
      ['VENUE_TOKEN_SECRET', token, 'must differ from VENUE_TOKEN_SECRET'],
      ['VENUE_METRICS_TOKEN', 'short', 'must have at least 32 characters'],
    ] as const)
      assert.throws(() => loadConfig({ VENUE_METRICS_TOKEN: token, [name]: value }), {
        name: 'ConfigError',
        message: `VENUE_METRICS_TOKEN ${reason}`,
      });
  });

  it('refuses real money with a variable that nothing reads (CFG-3)', () => {
    const env = { ...SECRETS, VENUE_ORACLE_HANDS_BPS: '10' };
    loadConfig(env);
    assert.throws(() => loadConfig({ ...env, VENUE_FUNDING_MODE: 'deposits' }), {
      name: 'ConfigError',
      message: 'VENUE_ORACLE_HANDS_BPS is unknown; did you mean VENUE_ORACLE_HAND_BPS?',
    });
  });

  it('refuses deposits mode without its secrets and never shows one (CRED-1)', () => {
    const weak = { ...SECRETS, VENUE_FUNDING_MODE: 'deposits', VENUE_FEED_TOKEN: 'tooshort' };
    assert.throws(() => loadConfig({ VENUE_FUNDING_MODE: 'deposits' }), ConfigError);
    assert.throws(
      () => loadConfig(weak),
      (error: Error) => error.message.includes('VENUE_FEED_TOKEN') && !error.message.includes('tooshort'),
    );
  });
});
