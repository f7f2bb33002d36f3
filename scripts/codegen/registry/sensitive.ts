import type { DescMessage } from '@bufbuild/protobuf';
import { innerOf, type Options } from './options.ts';

/** The sensitive fields of a message and of those inside it, by their paths: `upload.url`. A message that holds itself is gone into once. */
export function sensitivePaths(message: DescMessage, options: Options, seen: ReadonlySet<DescMessage> = new Set()): readonly string[] {
  if (seen.has(message)) return [];
  return message.fields.flatMap((field) => {
    if (options.isSensitive(field)) return [field.jsonName];
    const inner = innerOf(field);
    return inner ? sensitivePaths(inner, options, new Set([...seen, message])).map((path) => `${field.jsonName}.${path}`) : [];
  });
}
