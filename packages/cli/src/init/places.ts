/** The paths of a venue's files on a machine; docs/how-to/deploy.md explains each. */

import { fileURLToPath } from 'node:url';

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** The templates of this release. */
export const TEMPLATES = fileURLToPath(new URL('../../../../deploy', import.meta.url));

export const SETTINGS = '/etc/venue';
export const SECRETS = '/etc/venue/secrets';
export const OPERATORS_FILE = `${SECRETS}/operators`;
/** A file with the secret of each new operator, until they take it away. */
export const HANDOVER = `${SECRETS}/handover`;
export const VAULT_FILE = '/etc/venue/vault.json';
export const UNITS = '/etc/systemd/system';
export const OPERATORS_DROP_IN = `${UNITS}/venue-exchange.service.d/operators.conf`;
export const USERS_FILE = '/etc/sysusers.d/venue.conf';
export const EDGE = '/etc/nginx/machine';

export const PAPER_PROCESSES = ['exchange', 'feed', 'maker'] as const;
/** With real money these follow chain and vault as well. */
export const MONEY_PROCESSES = [...PAPER_PROCESSES, 'watcher', 'batcher'] as const;
export type Installed = (typeof MONEY_PROCESSES)[number] | 'attestor';
