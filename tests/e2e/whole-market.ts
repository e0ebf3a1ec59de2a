/** The market of `venue up` as a newcomer finds it, but for a crowd that trades four times as often. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { VenueClient } from '@venue/sdk';
import { Launched, QUOTES_STAND } from './launched.ts';

export interface WholeMarket {
  /** The path of its log. */
  readonly path: string;
  readonly launched: Launched;
  readonly client: VenueClient;
}

/** Starts the market before the tests of the calling file, and ends it after them. */
export function wholeMarket(): WholeMarket {
  const folder = mkdtempSync(join(tmpdir(), 'venue-market-'));
  const path = join(folder, 'venue.db');
  let launched: Launched | undefined;
  let client: VenueClient | undefined;
  before(async () => {
    const env = {
      VENUE_PORT: '0',
      VENUE_LOG: `sqlite:${path}`,
      VENUE_CROWD_SEED: '1',
      VENUE_CROWD_PACE_MS: '500',
    };
    launched = new Launched(['up'], { env });
    const [, url] = await launched.says(/exchange listening on (\S+)/);
    client = new VenueClient({ url: url! });
    await launched.says(QUOTES_STAND);
  });
  after(() => {
    launched?.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path,
    get launched() {
      return launched!;
    },
    get client() {
      return client!;
    },
  };
}
