import { type JsonValue, toJson } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import { invalidArgument } from './errors.ts';

/** Converts a value of a request to JSON. `subject` starts the message of the error that's thrown for values without a JSON form, such as 1e999. */
export function toJsonValue(subject: string, value: Value): JsonValue {
  try {
    return toJson(ValueSchema, value);
  } catch {
    throw invalidArgument(`${subject} must be a JSON value.`);
  }
}
