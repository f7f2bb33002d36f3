import { compareEngines } from './compareEngines.ts';
import { records } from './corpus/records.ts';

compareEngines([records]);
