/** The most actions one signature can carry (BAT-2). */
export const BATCH_ACTIONS_MAX = 64;

/** The most series, and the most underlyings, that all the `cancel-all`s of a batch name together (BAT-7). */
export const BATCH_CANCEL_SERIES_MAX = 64;
