/** `venue operator`: settlement by hand, the audit of it, and what operators see to of deposits and payouts. */

import { decimalToMicros, type HandSettleRequest } from '@venue/protocol';
import { VenueClient, verifyAudit } from '@venue/sdk';
import { Command, InvalidArgumentError } from 'commander';
import { auditEntryText, expiryText } from './audit-text.ts';
import { environment } from './config.ts';
import { OperatorError, operatorToken, settleTokens, venueUrl } from './operator-config.ts';
import { addCustodyCommands } from './operator-custody.ts';

const SETTLE_HELP = `
Settles what the oracle refused: GET /v1/meta lists it as pendingReview, GET /v1/settlements says why and gives the
anchor, which the price has to be near. The first price that is accepted is the price of that underlying at that
expiry; no settlement is ever undone. Every attempt is audited, whatever comes of it.

Needs both secrets, VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2, and the exchange at VENUE_URL.

  venue operator settle --series BTC-1764378000-C-100000 --price 100500
  venue operator settle --symbol BTC --expiry 1764378000 --price 100500     every series of the expiry
`;

const AUDIT_HELP = `
Prints every attempt to settle by hand, oldest first. Needs VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL.

Each attempt has a hash that covers the one before it. --verify computes them all anew and prints the last, the head.
Note it somewhere else: --head with a head noted earlier proves that nothing before it was cut or changed since.
`;

/** The commands of operators, ready to be added. */
export function operatorCommand(): Command {
  const operator = new Command('operator').description(
    'settle by hand what the oracle refused, audit it, and see to deposits and payouts',
  );
  operator
    .command('settle')
    .description('settle a series, or every refused one of an expiry, at a price of the underlying')
    .option('--series <id>', 'one series')
    .option('--symbol <symbol>', 'the underlying, with --expiry')
    .option('--expiry <seconds>', 'the expiry in unix seconds, with --symbol', seconds)
    .requiredOption('--price <price>', 'price of the underlying', price)
    .addHelpText('after', SETTLE_HELP)
    .action(runSettleCommand);
  operator
    .command('audit')
    .description('print every attempt to settle by hand, or check that the record of them is whole')
    .option('--verify', 'check the chain of hashes instead of printing')
    .option('--head <hash>', 'check also that this hash, noted earlier, stands in the chain', hash)
    .addHelpText('after', AUDIT_HELP)
    .action(runAuditCommand);
  addCustodyCommands(operator);
  return operator;
}

export interface SettleOptions {
  readonly series?: string;
  readonly symbol?: string;
  readonly expiry?: number;
  readonly price: number;
}

async function runSettleCommand(options: SettleOptions): Promise<void> {
  const request = settleRequest(options);
  const env = environment();
  const tokens = settleTokens(env);
  const answer = await new VenueClient({ url: venueUrl(env) }).operator.settle(request, tokens);
  console.log(`settled ${expiryText(answer.symbol, answer.expiryTs)} at ${answer.price}`);
  for (const seriesId of answer.settled) console.log(`  ${seriesId}`);
}

function settleRequest({ series, symbol, expiry, price }: SettleOptions): HandSettleRequest {
  if (series !== undefined && symbol === undefined && expiry === undefined)
    return { seriesId: series, price };
  if (series === undefined && symbol !== undefined && expiry !== undefined) {
    return { symbol, expiryTs: expiry, price };
  }
  throw new OperatorError('settle takes either --series or --symbol with --expiry');
}

interface AuditOptions {
  readonly verify?: true;
  readonly head?: string;
}

async function runAuditCommand({ verify, head }: AuditOptions): Promise<void> {
  const env = environment();
  const entries = new VenueClient({ url: venueUrl(env) }).operator.audit(operatorToken(env));
  if (verify === undefined && head === undefined) {
    // Whoever reads may have seen enough.
    process.stdout.on('error', () => process.exit(0));
    for await (const entry of entries) console.log(auditEntryText(entry));
    return;
  }
  const verdict = await verifyAudit(entries, head ?? null);
  if ('fault' in verdict) throw new OperatorError(`audit: ${verdict.fault}`);
  const { count, firstN } = verdict;
  if (verdict.hasNotedHead === false) {
    const older =
      firstN !== null && firstN > 1 ? `; it may be older than entry ${firstN}, the first that is served` : '';
    throw new OperatorError(`audit: no entry has the hash ${head}${older}`);
  }
  const from = firstN === null || firstN === 1 ? '' : ` from ${firstN} on`;
  console.log(`audit: ${count} entries${from}, chain intact, head ${verdict.head}`);
}

function price(text: string): number {
  const value = /^\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value === 0 || decimalToMicros(value) === undefined)
    throw new InvalidArgumentError('It must be a positive decimal, exact to a millionth.');
  return value;
}

function seconds(text: string): number {
  if (!/^\d{1,11}$/.test(text)) throw new InvalidArgumentError('It must be unix seconds.');
  return Number(text);
}

function hash(text: string): string {
  const lower = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(lower)) throw new InvalidArgumentError('It must be 64 hex digits.');
  return lower;
}
