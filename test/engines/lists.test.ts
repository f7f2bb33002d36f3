import { compareEngines } from './compareEngines.ts';
import { lists } from './corpus/lists.ts';

compareEngines([lists]);
