/** Where the parts of a venue lie on a machine, as docs/how-to/deploy.md has them. */

import { fileURLToPath } from 'node:url';

/** The templates of this release. */
export const TEMPLATES = fileURLToPath(new URL('../../../../deploy', import.meta.url));

export const SETTINGS = '/etc/venue';
export const SECRETS = '/etc/venue/secrets';
export const VAULT_FILE = '/etc/venue/vault.json';
export const UNITS = '/etc/systemd/system';
export const USERS_FILE = '/etc/sysusers.d/venue.conf';
export const EDGE = '/etc/nginx/machine';

export const PAPER_PROCESSES = ['exchange', 'feed', 'maker'] as const;
/** With real money these follow chain and vault as well. */
export const MONEY_PROCESSES = [...PAPER_PROCESSES, 'watcher', 'batcher'] as const;
export type Installed = (typeof MONEY_PROCESSES)[number] | 'attestor';
