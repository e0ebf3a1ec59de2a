/** Two operators with names review and settle an expiry that the oracle refused, each on an operators' page of their own. */

// @seconds 20

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { VenueClient } from '@venue/sdk/operators';
import type { Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, openPage } from './browser.ts';
import { OPERATOR_TOKEN } from './operator.ts';
import { refusedExpiry } from './refused-expiry.ts';
import { faketimeMissing } from './shifted-clock.ts';

const [ANN, BO, CY] = ['ann', 'bo', 'cy'].map((name) => `secret-of-${name}-`.repeat(4)) as [
  string,
  string,
  string,
];
const OPERATORS = `ann operate,settle ${hash('sha256', ANN)}
bo custody,settle ${hash('sha256', BO)}
cy operate ${hash('sha256', CY)}
`;
const missing = chromiumMissing() ?? faketimeMissing();

describe('the operators’ page of two people with names', { skip: missing ?? false }, () => {
  const { stage } = refusedExpiry({ VENUE_OPERATORS: OPERATORS });

  /** Somebody's page on a machine of their own, which their secret has opened. */
  async function enter(secret: string) {
    const { page, faults } = await openPage(stage.browser, `${stage.venue.url}/assets/admin.html`);
    await page.getByLabel('Operators’ secret').fill(secret);
    await page.getByRole('button', { name: 'Enter' }).click();
    return { page, faults, form: page.getByRole('form', { name: 'Settle ETH by hand' }) };
  }

  type Form = Awaited<ReturnType<typeof enter>>['form'];

  async function sign(form: Form, way: RegExp, price: string): Promise<void> {
    const option = await form.getByRole('option', { name: way }).textContent();
    await form.getByLabel('Who signs').selectOption({ label: option! });
    await form.getByLabel('Price of the underlying').fill(price);
    await form.getByRole('button', { name: /^(?:Settle|Propose) at/ }).click();
    await form.getByRole('button', { name: /^(?:Settle permanently|Yes, propose) at/ }).click();
  }

  const waiting = (page: Page) =>
    page.getByRole('region', { name: 'Waiting for a second person', exact: true });

  it('CUS-10, OPS-2: one reviews and proposes, the other confirms, and their secrets never meet', async () => {
    const ann = await enter(ANN);
    await ann.page.getByText('too few fresh sources').waitFor();
    await ann.form.getByText('from 2,970.00 to 3,030.00').waitFor();
    await sign(ann.form, /^I propose;/, '3030.01');
    await ann.form.getByText('price outside the bound of the last oracle print').waitFor();
    await sign(ann.form, /^I propose;/, '3010');
    await ann.page.getByText(/^ETH: Proposed number \d+ at 3010\. Another operator confirms/).waitFor();
    await waiting(ann.page).getByText('another than ann').waitFor();
    await sign(ann.form, /^I confirm number \d+, proposed by ann$/, '3010');
    await ann.form.getByText('the other secret has to confirm').waitFor();

    const cy = await enter(CY);
    await sign(cy.form, /, proposed by ann$/, '3010');
    await cy.form.getByText('this operator has not the role that it takes').waitFor();

    const bo = await enter(BO);
    await waiting(bo.page).getByText('another than ann').waitFor();
    assert.doesNotMatch(String(await waiting(bo.page).textContent()), /3,?010/, 'the price is not shown');
    await bo.form.getByRole('option', { name: /, proposed by ann$/ }).waitFor({ state: 'attached' });
    await assertAccessible(bo.page, '.Admin_admin');
    await sign(bo.form, /, proposed by ann$/, '3000');
    await bo.form.getByText('not the target and price that were proposed').waitFor();
    await sign(bo.form, /, proposed by ann$/, '3010');
    await bo.page.getByText(/^ETH: Settled \d+ series at 3010/).waitFor();
    for (const { page } of [ann, bo]) {
      await page.getByText('Nothing is pending review').waitFor();
      await waiting(page).getByText('Nothing waits.').waitFor();
    }

    const { operator, market } = new VenueClient({ url: stage.venue.url });
    const { settlements } = await market.settlements('ETH');
    assert.deepEqual(settlements.map(({ price }) => price).slice(0, 1), [3_010]);
    const audited = await Array.fromAsync(operator.audit(OPERATOR_TOKEN));
    assert.deepEqual(
      audited.map(({ by, action, step, accepted }) => [by, step?.act ?? action, accepted]),
      [
        ['ann', 'propose', false],
        ['ann', 'propose', true],
        ['ann', 'confirm', false],
        ['cy', 'confirm', false],
        ['bo', 'confirm', false],
        ['bo', 'confirm', true],
      ],
    );
    for (const { page, faults } of [ann, bo, cy]) {
      assertNoFaults(faults);
      await page.context().close();
    }
  });
});
