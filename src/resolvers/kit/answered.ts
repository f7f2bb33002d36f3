import { UpstreamInvalidError } from '../../failures.ts';

/** The member of an answer that holds what was asked for. Fails when the upstream left it out. */
export function answered<Value>(value: Value | undefined, member: string): Value {
  if (value === undefined) throw new UpstreamInvalidError(`${member} is missing`);
  return value;
}
