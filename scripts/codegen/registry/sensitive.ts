import type { DescMessage } from '@bufbuild/protobuf';
import { getInnerMessage, type OptionReader } from './options.ts';

/** Paths of the sensitive fields of a message and of nested messages, such as `upload.url`. Recursive messages are visited once. */
export function listSensitivePaths(
  message: DescMessage,
  options: OptionReader,
  seen: ReadonlySet<DescMessage> = new Set(),
): readonly string[] {
  if (seen.has(message)) return [];
  return message.fields.flatMap((field) => {
    if (options.isSensitive(field)) return [field.jsonName];
    const inner = getInnerMessage(field);
    return inner ? listSensitivePaths(inner, options, new Set([...seen, message])).map((path) => `${field.jsonName}.${path}`) : [];
  });
}
