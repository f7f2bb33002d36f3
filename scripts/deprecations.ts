import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  valueFromASTUntyped,
  visit,
} from 'graphql';

/** The reason of every deprecation: the replacement, and the last day of the promise. */
const REASON = /^Use \S.*\. Removed after (\d{4}-\d{2}-\d{2})\.$/s;

/** How long clients have, in months, from the release that deprecates to the first that removes. */
const NOTICE_MONTHS = 12;

/** Something that a client can name, and that can be deprecated. */
export interface Member {
  /** `Type.member` or `Type.field(argument:)`. */
  readonly coordinate: string;
  /** Undefined when it is not deprecated. */
  readonly reason: string | undefined;
}

type MemberNode = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode;

/** Reason that GraphQL gives a deprecation without one. */
const NO_REASON = 'No longer supported';

function reasonOf({ directives = [] }: { readonly directives?: readonly DirectiveNode[] }): string | undefined {
  const deprecated = directives.find(({ name }) => name.value === 'deprecated');
  if (!deprecated) return undefined;
  const reason = deprecated.arguments?.find(({ name }) => name.value === 'reason');
  return reason ? String(valueFromASTUntyped(reason.value)) : NO_REASON;
}

/** Whether a node defines a member. */
export const isMember = (node: ASTNode): node is MemberNode =>
  node.kind === Kind.FIELD_DEFINITION || node.kind === Kind.INPUT_VALUE_DEFINITION || node.kind === Kind.ENUM_VALUE_DEFINITION;

/** The coordinate of a member within the definitions that it stands in. */
export function coordinateOf(node: MemberNode, ancestors: readonly (ASTNode | readonly ASTNode[])[]): string {
  const [type, field] = ancestors.flatMap((each) => ('kind' in each && 'name' in each && each.name ? [each.name.value] : []));
  return field ? `${type}.${field}(${node.name.value}:)` : `${type}.${node.name.value}`;
}

/** The members of every type of a schema. */
export function membersOf(document: DocumentNode): Member[] {
  const found: Member[] = [];
  visit(document, {
    enter: (node, _key, _parent, _path, ancestors) => {
      if (isMember(node)) found.push({ coordinate: coordinateOf(node, ancestors), reason: reasonOf(node) });
    },
  });
  return found;
}

/** The day after which a deprecated member may go, in milliseconds; undefined when its reason does not tell. */
function lastDayOf(reason: string): number | undefined {
  const [, day = ''] = REASON.exec(reason) ?? [];
  const time = Date.parse(`${day}T00:00:00Z`);
  // 2026-02-30 would be taken for the 2nd of March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? undefined : time;
}

/** Whether the promise of a member has ended: a removal breaks nobody who has read the reason. */
export function hasEnded({ reason }: Member, today: Date): boolean {
  const lastDay = reason === undefined ? undefined : lastDayOf(reason);
  return lastDay !== undefined && new Date(lastDay).toISOString().slice(0, 10) < today.toISOString().slice(0, 10);
}

function noticeFrom(today: Date): number {
  const end = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()));
  end.setUTCMonth(end.getUTCMonth() + NOTICE_MONTHS);
  return end.getTime();
}

/** Problems of the deprecations of a schema, given those of the older one. */
export function deprecationProblems(before: readonly Member[], after: readonly Member[], today: Date): string[] {
  const reasons = new Map(before.map(({ coordinate, reason }) => [coordinate, reason]));
  return after.flatMap(({ coordinate, reason }) => {
    if (reason === undefined) return [];
    const lastDay = lastDayOf(reason);
    if (lastDay === undefined)
      return [`${coordinate} has the deprecation reason "${reason}". Expected the form "Use x. Removed after 2027-06-30."`];
    const earlier = reasons.get(coordinate);
    // Of a reason in another form nothing was promised.
    const promised = (earlier === undefined ? undefined : lastDayOf(earlier)) ?? noticeFrom(today);
    if (lastDay >= promised) return [];
    return [
      `${coordinate} has the removal date ${new Date(lastDay).toISOString().slice(0, 10)}. It must not be before ${new Date(promised).toISOString().slice(0, 10)}.`,
    ];
  });
}
