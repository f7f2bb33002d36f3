import type { Area } from './case.ts';
import { coordinates } from './coordinates.ts';
import { files } from './files.ts';
import { mutations } from './mutations.ts';

/** All requests that the engines are compared by. */
export const AREAS: readonly Area[] = [coordinates, files, ...mutations];
