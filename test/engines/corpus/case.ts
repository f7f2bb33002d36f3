import { Records } from '../../support/contract/records.ts';
import type { RawRequest } from '../../support/rawHttp.ts';
import type { Step } from '../engine.ts';

type Sandbox = ConstructorParameters<typeof Records>[0];

/** Requests that are sent sequentially to the same data. No other case sees their changes. */
export interface Case {
  readonly title: string;
  /** The requests, or a function that creates them and their records before all engines start. */
  readonly steps: readonly Step[] | ((sandbox: Sandbox) => Promise<readonly Step[]>);
  /** Whether the case starts with the data of `npm start`, whose records the examples use, instead of the test data. */
  readonly startsFull?: boolean;
}

/** Cases that are recorded in one file. */
export interface Area {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** Records whose texts are the same in every run, regardless of records created before. */
export class NamedRecords extends Records {
  override readonly mark: string;

  constructor(sandbox: Sandbox, mark: string) {
    super(sandbox);
    this.mark = mark;
  }
}

/** A POST of a document. */
export const post = (query: string, variables: object = {}, key = 'demo-owner', headers: Record<string, string> = {}): RawRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
  body: JSON.stringify({ query, variables }),
});

/** A case of one request. */
export const createCase = (title: string, request: RawRequest, faults: Step['faults'] = []): Case => ({
  title,
  steps: [{ title, request, faults }],
});
