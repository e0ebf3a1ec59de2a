/** A release, as build, service worker and page know it (INST-2). */

/** The files of a build. */
export interface Release {
  /** Names this build among all others. */
  readonly id: string;
  /** Address of the script that the page begins with: the page tells by it whether it is of this build. */
  readonly entry: string;
  /** Addresses of all files that the page may load, each named by its content. */
  readonly files: readonly string[];
}

/** A worker's message to the pages of the venue when it has taken over. */
export interface TakenOver {
  readonly entry: string;
}

/** The service worker's address, in every release. */
export const WORKER = '/assets/service-worker.js';
