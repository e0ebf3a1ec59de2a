/** The worker that computes payoffs: a book of hundreds of legs would block the page for longer than a frame. */

import { payoffOf } from './payoff.ts';
import type { PayoffAnswer, PayoffQuestion } from './payoff-thread.ts';

addEventListener('message', ({ data }: MessageEvent<PayoffQuestion>) => {
  const answer: PayoffAnswer = { id: data.id, payoff: payoffOf(data.legs, data.moment) };
  postMessage(answer);
});
