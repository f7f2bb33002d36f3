import { compareEngines } from './compareEngines.ts';
import { changes } from './corpus/changes.ts';
import { mutations } from './corpus/mutations.ts';

compareEngines([changes, ...mutations]);
