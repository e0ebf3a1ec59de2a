/** Real money in a real browser: a wallet deposits into the vault, is credited, withdraws and claims, on a local chain. */

// @seconds 42

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, NO_WORKER, openPage, WAIT_MS, watchFaults } from './browser.ts';
import { ChainWallet } from './chain-wallet.ts';
import { MoneyVenue, OPERATOR_TOKEN, TRADER_USD } from './money.ts';
import { stageOf } from './stage.ts';

const DEPOSIT_USD = 5_000;
/** Micros that the vault was allowed by an earlier visit. */
const LEFT_OVER = 1_000_000n;
const WITHDRAWAL_USD = 1_250.5;

describe('the terminal with real money', { skip: chromiumMissing() ?? false }, () => {
  const stage = stageOf(() => MoneyVenue.start());

  const tokensOf = async () => Number(await stage.venue.balanceOf(stage.venue.trader.address)) / 1e6;

  it('resets a leftover allowance, deposits across a closed page, withdraws in two presses, and claims', async () => {
    await stage.venue.makeTokenReset(LEFT_OVER);
    const wallet = new ChainWallet({ chain: stage.venue.chain, account: stage.venue.trader, chainId: 1 });
    const context = await stage.browser.newContext({ ...NO_WORKER, viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(WAIT_MS);
    await wallet.install(context);
    const page = await context.newPage();
    const faults = watchFaults(page);
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto(stage.venue.url);
    const funds = await openFunds(page);
    await funds.getByRole('button', { name: wallet.name }).click();

    await funds.getByText('Your wallet is on Ethereum').waitFor();
    await funds.getByRole('button', { name: /^Switch to/ }).click();
    await funds.getByText('10,000.00 ').first().waitFor();

    const deposit = funds.getByRole('form', { name: 'Deposit' });
    const amount = deposit.getByLabel('Amount to deposit', { exact: true });
    await amount.fill('10000.01');
    await deposit.getByText('Your wallet has 10,000.00').waitFor();
    assert.equal(await deposit.getByRole('button', { name: /^Reset / }).isDisabled(), true);

    await amount.fill(String(DEPOSIT_USD));
    wallet.answer = 'no';
    await deposit.getByRole('button', { name: 'Reset the allowance' }).click();
    await eventually('the wallet was asked', () => wallet.asked.includes('eth_sendTransaction'), WAIT_MS);
    await enabled(deposit.getByRole('button', { name: 'Reset the allowance' }));
    assert.equal(await funds.getByRole('alert').count(), 0, 'a no is no fault');
    wallet.answer = 'yes';
    assert.equal(await deposit.getByText('Three transactions').count(), 1);
    await deposit.getByRole('button', { name: 'Reset the allowance' }).click();
    await enabled(deposit.getByRole('button', { name: /^Allow 5,000\.00/ }));
    await deposit.getByText('Two transactions').waitFor();
    await deposit.getByRole('button', { name: /^Allow 5,000\.00/ }).click();
    await enabled(deposit.getByRole('button', { name: /^Deposit 5,000\.00/ }));
    await deposit.getByRole('button', { name: /^Deposit 5,000\.00/ }).click();
    await deposit.getByText(/You may close this page/).waitFor();

    await page.reload();
    const again = await openFunds(page);
    await again.getByText('Credited to your cash.').waitFor();
    assert.equal(await tokensOf(), TRADER_USD - DEPOSIT_USD);

    await withdraw(again);
    // A busy machine may look only once it can be claimed.
    const claim = again.getByRole('button', { name: /^Claim 1,250\.50/ });
    await again
      .getByRole('cell', { name: /Requested|Set aside/ })
      .or(claim)
      .first()
      .waitFor();
    await claim.waitFor();
    await again.getByText('The reserves hold').waitFor();
    await assertAccessible(page, '.Funds_funds');
    await enabled(claim);
    await claim.click();
    await again.getByRole('cell', { name: 'Claimed', exact: true }).waitFor();
    assert.equal(await tokensOf(), TRADER_USD - DEPOSIT_USD + WITHDRAWAL_USD);
    assert.ok(fetched.some((path) => /\/assets\/Funds-.+\.js$/.test(path)));
    assertNoFaults(faults);
    await context.close();
  });

  it('CUS-20: nothing is allowed or deposited where the code is not that of the deployment', async () => {
    const wallet = new ChainWallet({ chain: stage.venue.chain, account: stage.venue.trader });
    const context = await stage.browser.newContext({ ...NO_WORKER, viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(WAIT_MS);
    await wallet.install(context);
    const page = await context.newPage();
    await page.route('**/assets/vault.json', async (route) => {
      const file = await (await route.fetch()).json();
      await route.fulfill({ json: { ...file, codeHash: `0x${'12'.repeat(32)}` } });
    });
    await page.goto(stage.venue.url);
    const funds = await openFunds(page);
    await funds.getByRole('button', { name: wallet.name }).click();
    await funds.getByText(/does not have the code that the venue names/).waitFor();
    const deposit = funds.getByRole('form', { name: 'Deposit' });
    await deposit.getByLabel('Amount to deposit', { exact: true }).fill('1');
    await deposit.getByText(/transactions?, whose gas you pay/).waitFor();
    assert.equal(await deposit.getByRole('button', { name: /1\.00/ }).isDisabled(), true);
    assert.ok(!wallet.asked.includes('eth_sendTransaction'));
    await context.close();
  });

  it("DEP-2: a stranger's deposit is held, and an operator releases it in two presses", async () => {
    const { address } = await stage.venue.depositAsStranger(42_000_000n);
    const { page, faults } = await openPage(stage.browser, `${stage.venue.url}/assets/admin.html`);
    await page.getByLabel('Operators’ secret').fill(OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Enter' }).click();
    const held = page.getByRole('region', { name: 'Held deposits' });
    const row = held.getByRole('row', { name: new RegExp(address, 'i') });
    await row.getByText('$42.00').waitFor();
    await row.getByRole('button', { name: 'Release…' }).click();
    await row.getByRole('button', { name: 'Release $42.00 permanently' }).click();
    await held.getByText('Released $42').waitFor();
    await held.getByText('Nothing is held.').waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });
});

async function openFunds(page: Page): Promise<Locator> {
  await page.getByRole('tab', { name: 'Funds' }).click();
  return page.getByRole('tabpanel', { name: 'Funds' });
}

/** An amount above the maximum shows the maximum; a withdrawal needs two presses. */
async function withdraw(funds: Locator): Promise<void> {
  const form = funds.getByRole('form', { name: 'Withdraw' });
  const amount = form.getByLabel('Amount to withdraw', { exact: true });
  await amount.fill('5000.01');
  await form.getByText('At most $5,000.00').waitFor();
  await amount.fill(String(WITHDRAWAL_USD));
  await form.getByRole('button', { name: 'Withdraw $1,250.50' }).click();
  await form.getByText('cannot be put back').waitFor();
  await form.getByRole('button', { name: 'Yes, withdraw $1,250.50' }).click();
}

async function enabled(button: Locator): Promise<void> {
  const can = () => button.isEnabled({ timeout: 1_000 }).catch(() => false);
  await eventually('the button can be pressed', can, WAIT_MS);
}
