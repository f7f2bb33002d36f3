import { compareEngines } from './compareEngines.ts';
import { analytics } from './corpus/analytics.ts';
import { documents } from './corpus/documents.ts';
import { examples } from './corpus/examples.ts';
import { files } from './corpus/files.ts';
import { forms } from './corpus/forms.ts';
import { searches } from './corpus/searches.ts';

compareEngines([forms, documents, analytics, searches, files, examples]);
