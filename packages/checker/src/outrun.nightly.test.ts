// @seconds 20

import { describeOutrun } from '../test/outrun.ts';

describeOutrun(300);
