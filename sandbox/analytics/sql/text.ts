import type { AnalyticsQuery } from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { SandboxError } from '../../kernel/errors.ts';

/** The typed query that a text asks for. Refuses a text that is none as an invalid argument, which begins with the place: `line 1, column 8: …`. */
export function queryOf(_sql: string): AnalyticsQuery {
  throw new SandboxError('unimplemented', 'Texts are not read yet.');
}

/** The text of a query that a text can ask for: `queryOf` of it is the same query. */
export function textOf(_query: AnalyticsQuery): string {
  return '';
}
