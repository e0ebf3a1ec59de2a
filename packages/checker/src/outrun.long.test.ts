// @seconds 9

import { describeOutrun } from '../test/outrun.ts';

describeOutrun(45);
