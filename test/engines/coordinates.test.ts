import { compareEngines } from './compareEngines.ts';
import { coordinates } from './corpus/coordinates.ts';

compareEngines([coordinates]);
