import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AnalyticsQuery, AnalyticsResultSchema } from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { SandboxError } from '../kernel/errors.ts';

/** Answers a query from the records as they are now, or refuses it. */
export function execute(_call: CallContext, _query: AnalyticsQuery): MessageInitShape<typeof AnalyticsResultSchema> {
  throw new SandboxError('unimplemented', 'Queries are not answered yet.');
}
