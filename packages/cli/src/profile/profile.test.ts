import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settings } from '../base/config.ts';
import { profileOf } from './profile.ts';

const at = (env: Record<string, string>, name?: string) => profileOf(name, settings(env)).walletPath;

test('profiles are where VENUE_HOME, XDG or HOME say, in this order', () => {
  const HOME = '/home/ann';
  assert.equal(at({ HOME }), '/home/ann/.config/venue/default/wallet.json');
  assert.equal(at({ HOME, XDG_CONFIG_HOME: '/x' }), '/x/venue/default/wallet.json');
  assert.equal(at({ HOME, XDG_CONFIG_HOME: 'relative' }), '/home/ann/.config/venue/default/wallet.json');
  assert.equal(at({ HOME, XDG_CONFIG_HOME: '/x', VENUE_HOME: '/v' }), '/v/default/wallet.json');
  assert.throws(() => at({}), /set VENUE_HOME/);
});

test('the option overrides the variable, and no name leads out of the folder', () => {
  assert.equal(at({ VENUE_HOME: '/v', VENUE_PROFILE: 'a' }), '/v/a/wallet.json');
  assert.equal(at({ VENUE_HOME: '/v', VENUE_PROFILE: 'a' }, 'b'), '/v/b/wallet.json');
  for (const name of ['..', 'a/b', '', '.hidden', 'x'.repeat(33), 'a b'])
    assert.throws(() => at({ VENUE_HOME: '/v' }, name), /a profile is named by letters/, name);
});
