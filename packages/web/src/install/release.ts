/** What build, service worker and page know of each other (INST-2). */

/** What a build consists of. */
export interface Release {
  /** Names this build among all others. */
  readonly id: string;
  /** Address of the script that the page begins with: the page tells by it whether it is of this build. */
  readonly entry: string;
  /** Addresses of all files that the page may load, each named by its content. */
  readonly files: readonly string[];
}

/** What a worker tells the pages of the venue when it has taken over. */
export interface TakenOver {
  readonly entry: string;
}

/** The service worker's address, in every release. */
export const WORKER = '/assets/service-worker.js';
