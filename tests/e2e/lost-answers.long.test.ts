/** Answers lost on the way, each kind of loss once or twice. */

// @seconds 12

import { testLostAnswers } from './lost-answers.ts';

testLostAnswers(5);
