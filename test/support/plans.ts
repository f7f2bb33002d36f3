import type { ExecutionArgs } from 'graphql';
import { DocumentNames } from '../../src/server/execution/documentNames.ts';
import { OperationPlans, type Plan } from '../../src/server/execution/plan.ts';

const plans = new OperationPlans(new DocumentNames(new Map()));

/** The plan of an operation, the same each time. Throws if its document doesn't contain it. */
export function getPlan(args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): Plan {
  const plan = plans.getPlan(args);
  if (!plan) throw new Error(`The document has no operation ${args.operationName}.`);
  return plan;
}
