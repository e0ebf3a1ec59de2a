/** `venue operator held|release|payouts|commit`: money that waits for an operator, and what is paid out. */

import { type Held, type Payout, parseAddress } from '@venue/protocol';
import { type CustodyCalls, VenueClient } from '@venue/sdk';
import { NOTED_AT_ONCE_MAX } from '@venue/vault';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { environment } from './config.ts';
import { operatorToken, venueUrl } from './operator-config.ts';

const NEEDS = '\nNeeds VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL, which holds real money.\n';

const RELEASE_HELP = `
Deposits of an address that had never signed in are held: owed, and out of its reach. Release them once you know whose
they are; from then on its deposits are credited. It cannot be taken back.

A contract wallet has no key that could sign in, so that its money could be neither traded nor withdrawn after a release:
leave it held, and pay it back by hand from the operator's own wallet.
${NEEDS}`;

const COMMIT_HELP = `
Notes payouts as committed in a transaction that is on chain and that the batcher did not note. Stop the batcher first,
and be sure of the transaction: account and amount of each PayoutCommitted have to be those of the list. Nothing here
looks at the chain, and it cannot be taken back. docs/custody.md says which payouts may be committed by hand.
${NEEDS}
  venue operator commit --ids 17,18 --tx 0x…
`;

/** Adds the commands to those of operators. */
export function addCustodyCommands(operator: Command): void {
  operator
    .command('held')
    .description('list the addresses whose deposits are held')
    .addHelpText('after', NEEDS)
    .action(runHeldCommand);
  operator
    .command('release')
    .description('release what is held for an address')
    .argument('<address>', 'the depositing address', address)
    .addHelpText('after', RELEASE_HELP)
    .action(runReleaseCommand);
  operator
    .command('payouts')
    .description('list withdrawals, oldest first')
    .addOption(new Option('--state <state>', 'those in one state').choices(['requested', 'committed']))
    .addHelpText('after', NEEDS)
    .action(runPayoutsCommand);
  operator
    .command('commit')
    .description('note payouts that were committed on chain by hand')
    .requiredOption('--ids <ids>', 'the payouts, with commas between', payoutIds)
    .requiredOption('--tx <hash>', 'the transaction that committed them', txHash)
    .addHelpText('after', COMMIT_HELP)
    .action(runCommitCommand);
}

async function runHeldCommand(): Promise<void> {
  const held = await custody().held();
  if (held.length === 0) console.log('nothing is held');
  for (const row of held) console.log(heldText(row));
}

function heldText({ address, amountUsd, deposits }: Held): string {
  return `${address}  ${usd(amountUsd)} USD in ${deposits} deposit${deposits === 1 ? '' : 's'}`;
}

async function runReleaseCommand(of: string): Promise<void> {
  const { released, account } = await custody().release(of);
  console.log(`released ${usd(released)} USD to ${account.address}; its cash is ${usd(account.cash)} USD`);
}

async function runPayoutsCommand({ state }: { readonly state?: Payout['state'] }): Promise<void> {
  // Whoever reads may have seen enough.
  process.stdout.on('error', () => process.exit(0));
  let count = 0;
  for await (const payout of custody().payouts(state === undefined ? {} : { state })) {
    count += 1;
    console.log(payoutText(payout));
  }
  if (count === 0) console.log('no payouts');
}

async function runCommitCommand({ ids, tx }: { readonly ids: number[]; readonly tx: string }) {
  const { payouts } = await custody().commitPayouts({ ids, txHash: tx });
  for (const payout of payouts) console.log(payoutText(payout));
}

function payoutText({ id, requestedAt, address, amountUsd, state, txHash }: Payout): string {
  const where = txHash === undefined ? '' : ` in ${txHash}`;
  return `${id}  ${new Date(requestedAt).toISOString()}  ${address}  ${usd(amountUsd)} USD  ${state}${where}`;
}

/** All six places: this is money to be compared with a chain. */
function usd(amount: number): string {
  return amount.toFixed(6);
}

function custody(): CustodyCalls {
  const env = environment();
  return new VenueClient({ url: venueUrl(env) }).custody(operatorToken(env));
}

function address(text: string): string {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new InvalidArgumentError('It must be an address: 0x and 40 hex digits.');
  return parsed;
}

function payoutIds(text: string): number[] {
  const ids = text.split(',').map((id) => (/^\d{1,15}$/.test(id.trim()) ? Number(id) : 0));
  if (ids.includes(0) || ids.length > NOTED_AT_ONCE_MAX)
    throw new InvalidArgumentError(
      `It must be up to ${NOTED_AT_ONCE_MAX} payout numbers with commas between, like 17,18.`,
    );
  return ids;
}

function txHash(text: string): string {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.');
  return text;
}
