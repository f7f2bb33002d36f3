import type {
  AnalyticsFilterJson,
  AnalyticsOperatorJson,
  AnalyticsValueJson,
} from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';

/** A condition on the rows of an index, in the upstream's form. */
export type IndexCondition = AnalyticsFilterJson;

export type IndexValue = AnalyticsValueJson;

/** An operator of the upstream, without its prefix. */
export type OperatorName = AnalyticsOperatorJson extends `ANALYTICS_OPERATOR_${infer Name}` ? Name : never;

export const compare = (column: string, operator: OperatorName, ...values: readonly IndexValue[]): IndexCondition => ({
  compare: { field: column, operator: `ANALYTICS_OPERATOR_${operator}` as AnalyticsOperatorJson, values: [...values] },
});

/** Combines conditions with `and`, and flattens nested conjunctions. Returns undefined, which matches all rows, if no condition is given. */
export function all(...conditions: readonly (IndexCondition | undefined)[]): IndexCondition | undefined {
  const children = conditions.filter((each) => each !== undefined).flatMap((each) => each.all?.children ?? [each]);
  return children.length > 1 ? { all: { children } } : children[0];
}

/** The disjunction of at least one condition. */
export const any = (children: readonly IndexCondition[]): IndexCondition =>
  children.length > 1 ? { any: { children: [...children] } } : (children[0] as IndexCondition);

/** Number of conditions, including groups, and of their nesting levels, as the upstream counts them. */
export function measure(condition: IndexCondition): { readonly nodes: number; readonly levels: number } {
  const { all: conjunction, any: disjunction, related } = condition;
  const inner = [...((conjunction ?? disjunction)?.children ?? []), ...(related?.filter ? [related.filter] : [])].map(measure);
  return {
    nodes: inner.reduce((sum, { nodes }) => sum + nodes, 1),
    levels: inner.reduce((most, { levels }) => Math.max(most, levels), 0) + 1,
  };
}
