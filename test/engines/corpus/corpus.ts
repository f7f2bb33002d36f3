import { analytics } from './analytics.ts';
import type { Area } from './case.ts';
import { changes } from './changes.ts';
import { coordinates } from './coordinates.ts';
import { documents } from './documents.ts';
import { examples } from './examples.ts';
import { failures } from './failures.ts';
import { files } from './files.ts';
import { forms } from './forms.ts';
import { lists } from './lists.ts';
import { mutations } from './mutations.ts';
import { records } from './records.ts';

/** All requests that the engines are compared by. */
export const AREAS: readonly Area[] = [
  forms,
  documents,
  coordinates,
  records,
  lists,
  analytics,
  files,
  changes,
  ...mutations,
  examples,
  ...failures,
];
