import { readFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';

/** The files of the checkout that a file imports, including type and dynamic imports. */
export const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport |\bimport\()'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(relative('.', join(file, '..', path))),
  );
