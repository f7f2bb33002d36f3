import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../lib/packageRoot.ts';

const FOLDER = new URL('examples/', PACKAGE_ROOT);

interface Example {
  /** File name without its extension. */
  readonly name: string;
  readonly query: string;
  /** Variables as JSON. They refer to records of the sandbox's demo data. */
  readonly variables?: string;
}

function readExample(name: string): Example {
  const query = readFileSync(new URL(`${name}.graphql`, FOLDER), 'utf8');
  const variables = new URL(`${name}.variables.json`, FOLDER);
  return { name, query, ...(existsSync(variables) && { variables: readFileSync(variables, 'utf8') }) };
}

/** The example documents with their variables, sorted by file name, which starts with a number. */
export const readExamples = (): Example[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d.*\.graphql$/.test(name))
    .sort()
    .map((name) => readExample(name.replace(/\.graphql$/, '')));
