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

/** The required form of deprecation reasons: the replacement, and the last day on which the member is guaranteed to exist. */
const REASON = /^Use \S.*\. Removed after (\d{4}-\d{2}-\d{2})\.$/s;

/** Minimum notice in months, from the release that deprecates a member to the one that removes it. */
const NOTICE_MONTHS = 12;

/** A schema member that clients can refer to and that can be deprecated. */
export interface Member {
  /** `Type.member` or `Type.field(argument:)`. */
  readonly coordinate: string;
  /** Undefined if the member isn't deprecated. */
  readonly reason: string | undefined;
}

type MemberNode = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode;

/** Default reason of `@deprecated`. */
const NO_REASON = 'No longer supported';

function getReason({ directives = [] }: { readonly directives?: readonly DirectiveNode[] }): string | undefined {
  const deprecated = directives.find(({ name }) => name.value === 'deprecated');
  if (!deprecated) return undefined;
  const reason = deprecated.arguments?.find(({ name }) => name.value === 'reason');
  return reason ? String(valueFromASTUntyped(reason.value)) : NO_REASON;
}

/** Whether a node defines a member. */
export const isMember = (node: ASTNode): node is MemberNode =>
  node.kind === Kind.FIELD_DEFINITION || node.kind === Kind.INPUT_VALUE_DEFINITION || node.kind === Kind.ENUM_VALUE_DEFINITION;

/** The coordinate of a member, from its ancestors in the document. */
export function getCoordinate(node: MemberNode, ancestors: readonly (ASTNode | readonly ASTNode[])[]): string {
  const [type, field] = ancestors.flatMap((each) => ('kind' in each && 'name' in each && each.name ? [each.name.value] : []));
  return field ? `${type}.${field}(${node.name.value}:)` : `${type}.${node.name.value}`;
}

/** The members of all types of a schema. */
export function listMembers(document: DocumentNode): Member[] {
  const found: Member[] = [];
  visit(document, {
    enter: (node, _key, _parent, _path, ancestors) => {
      if (isMember(node)) found.push({ coordinate: getCoordinate(node, ancestors), reason: getReason(node) });
    },
  });
  return found;
}

/** The last day on which a deprecated member is guaranteed to exist, in milliseconds. Undefined if its reason doesn't contain a valid date. */
function parseLastDay(reason: string): number | undefined {
  const [, day = ''] = REASON.exec(reason) ?? [];
  const time = Date.parse(`${day}T00:00:00Z`);
  // `Date.parse` reads 2026-02-30 as March 2.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? undefined : time;
}

/** Whether the notice period of a member has ended, so that it can be removed. */
export function hasExpired({ reason }: Member, today: Date): boolean {
  const lastDay = reason === undefined ? undefined : parseLastDay(reason);
  return lastDay !== undefined && new Date(lastDay).toISOString().slice(0, 10) < today.toISOString().slice(0, 10);
}

function calculateNoticeEnd(today: Date): number {
  const end = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()));
  end.setUTCMonth(end.getUTCMonth() + NOTICE_MONTHS);
  return end.getTime();
}

/** Problems of the deprecations of a schema, compared with the older schema. */
export function findDeprecationProblems(before: readonly Member[], after: readonly Member[], today: Date): string[] {
  const reasons = new Map(before.map(({ coordinate, reason }) => [coordinate, reason]));
  return after.flatMap(({ coordinate, reason }) => {
    if (reason === undefined) return [];
    const lastDay = parseLastDay(reason);
    if (lastDay === undefined)
      return [`${coordinate} has the deprecation reason "${reason}". Expected the form "Use x. Removed after 2027-06-30."`];
    const earlier = reasons.get(coordinate);
    // A reason in another form guarantees nothing.
    const earliest = (earlier === undefined ? undefined : parseLastDay(earlier)) ?? calculateNoticeEnd(today);
    if (lastDay >= earliest) return [];
    return [
      `${coordinate} has the removal date ${new Date(lastDay).toISOString().slice(0, 10)}. It must not be before ${new Date(earliest).toISOString().slice(0, 10)}.`,
    ];
  });
}
