/** Answers lost on the way, many of each kind. */

// @seconds 60

import { testLostAnswers } from './lost-answers.ts';

testLostAnswers(30);
