import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { type Area, post } from './case.ts';

/** The examples in sequence, because some read what others have changed. */
const steps = readExamples().map(({ name, query, variables }) => ({ title: name, request: post(query, JSON.parse(variables ?? '{}')) }));

export const examples: Area = { name: 'examples', cases: [{ title: 'all examples', steps, startsFull: true }] };
