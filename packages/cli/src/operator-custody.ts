/** `venue operator held|release|payouts`: money that waits for an operator, and what is paid out. */

import { type Held, type Payout, parseAddress } from '@venue/protocol';
import { type CustodyCalls, VenueClient } from '@venue/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { environment } from './config.ts';
import { operatorToken, venueUrl } from './operator-config.ts';

const NEEDS = '\nNeeds VENUE_OPERATOR_TOKEN, and the exchange at VENUE_URL, which holds real money.\n';

const RELEASE_HELP = `
Deposits of an address that had never signed in are held: owed, and out of its reach. Release them once you know whose
they are; from then on its deposits are credited. It cannot be taken back.
${NEEDS}`;

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
