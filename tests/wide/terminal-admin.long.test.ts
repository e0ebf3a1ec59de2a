/**
 * The operators' page in a real browser, on an exchange whose oracle refused an expiry: two secrets settle it by hand.
 */

// @seconds 27

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VenueClient } from '@venue/sdk';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, comesToHold, openPage } from './browser.ts';
import { auditedReasons, OPERATOR_TOKEN, SECRETS } from './operator.ts';
import { ANCHOR, refusedExpiry } from './refused-expiry.ts';
import { faketimeMissing } from './shifted-clock.ts';

const missing = chromiumMissing() ?? faketimeMissing();

describe('the operators’ page', { skip: missing ?? false }, () => {
  const { stage, setPrice, stopPrices } = refusedExpiry(SECRETS);

  it('refuses a wrong secret, and settles with the two right ones', async () => {
    const { page, faults } = await openPage(stage.browser, `${stage.venue.url}/assets/admin.html`);
    const secret = page.getByLabel('Operators’ secret');
    await secret.fill('wrong');
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByText('The exchange says: wrong credential').waitFor();
    await secret.fill(OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Enter' }).click();

    const client = () => new VenueClient({ url: stage.venue.url });
    const form = page.getByRole('form', { name: 'Settle ETH by hand' });
    await form.getByText('from 2,970.00 to 3,030.00').waitFor();
    await page.getByText('too few fresh sources').waitFor();
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await region('Waiting for a second person').getByText('two people with secrets to settle').waitFor();
    await region('In margin call').getByText('No account is in margin call.').waitFor();
    await region('Largest accounts').getByText('Nobody holds a contract.').waitFor();
    await region('Exposure by expiry').getByText('No open interest.').waitFor();
    const glance = page.getByRole('navigation', { name: 'At a glance' });
    await glance.getByRole('link', { name: /Nobody in call/ }).waitFor();
    await glance.getByRole('link', { name: /Waits for you ?1 ?1 in review/ }).waitFor();
    await region('Trends')
      .getByRole('img', { name: /^Paid in: less paid out \$/ })
      .waitFor();
    // One person proposes: the other reads which secret is needed, and no price (CUS-10, OPS-1).
    const [pending = ''] = (await client().market.meta()).pendingReview;
    const target = { symbol: 'ETH', expiryTs: Number(pending.split('-')[1]), price: ANCHOR };
    const { id } = await client().operator.propose(target, { which: 1, token: SECRETS.VENUE_SETTLE_TOKEN_1 });
    const proposed = region('Waiting for a second person').getByRole('row', {
      name: `proposed, number ${id}`,
    });
    await proposed.getByText('secret 2').waitFor();
    assert.doesNotMatch(String(await proposed.textContent()), /3,?000/);
    await assertAccessible(page, '.Admin_admin');
    await page.setViewportSize({ width: 390, height: 844 });
    await comesToHold('the page itself does not scroll sideways', async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390),
    );
    const settle = async (price: string, second: string) => {
      await form.getByLabel('Price of the underlying').fill(price);
      await form.getByLabel('First secret').fill(SECRETS.VENUE_SETTLE_TOKEN_1);
      await form.getByLabel('Second secret').fill(second);
      await form.getByRole('button', { name: /^Settle at/ }).click();
      await form.getByRole('button', { name: /^Settle permanently/ }).click();
    };
    await settle('3030.01', SECRETS.VENUE_SETTLE_TOKEN_2);
    await form.getByText('price outside the bound of the last oracle print').waitFor();
    await comesToHold('secrets do not stay', async () =>
      assert.equal(await form.getByLabel('Second secret').inputValue(), ''),
    );
    await settle('3010', 'not-the-second');
    await form.getByText('wrong credential').waitFor();
    await settle('3010', SECRETS.VENUE_SETTLE_TOKEN_2);
    await page.getByText('Nothing is pending review').waitFor();
    await region('Waiting for a second person').getByText('Nothing waits.').waitFor();
    await page.getByText(/^ETH: Settled \d+ series at 3010/).waitFor();

    const audit = page.getByRole('region', { name: 'Audit of hand settlements' });
    await audit.getByText('Chain intact').waitFor();
    await audit.getByRole('cell', { name: 'Accepted' }).waitFor();
    assert.equal(await audit.getByRole('row').count(), 5);
    assert.deepEqual(await auditedReasons(stage.venue.url), [
      null,
      'price outside the bound of the last oracle print',
      'wrong credential',
      null,
    ]);
    await audit.getByLabel('Recorded head').fill('ab'.repeat(32));
    await audit.getByRole('button', { name: 'Read all of it again and check' }).click();
    await audit.getByText('is missing').waitFor();

    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, location.href, document.cookie])',
    );
    assert.ok(!String(kept).includes(OPERATOR_TOKEN.slice(0, 12)), 'the secret is kept nowhere');
    setPrice(2 * ANCHOR);
    await region('Liquidation stopped')
      .getByRole('row', { name: /^ETH 6,000\.00 3,000\.00 / })
      .waitFor();
    assertNoFaults(faults);

    await stopPrices();
    stage.venue.launched.process.kill('SIGSTOP');
    await page.getByText(/^Old: read \d+ s ago/).waitFor();
    stage.venue.launched.process.kill('SIGCONT');
    await page.getByText(/^read \d s ago/).waitFor();
    await page.context().close();
  });
});
