import { type JsonValue, toJson } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import { invalid } from './errors.ts';

/** A value of a request as JSON. `subject` begins the refusal of what is none, such as a number too large for JSON: 1e999. */
export function jsonOf(subject: string, value: Value): JsonValue {
  try {
    return toJson(ValueSchema, value);
  } catch {
    throw invalid(`${subject} must be a JSON value.`);
  }
}
