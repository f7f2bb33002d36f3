import { compareEngines } from './compareEngines.ts';
import { failures } from './corpus/failures.ts';

compareEngines(failures);
