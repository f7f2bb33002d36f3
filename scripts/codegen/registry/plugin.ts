import { createEcmaScriptPlugin, type Schema } from '@bufbuild/protoplugin';
import { Decoders } from './decoders.ts';
import { Messages } from './messages.ts';
import { printOperations } from './operations.ts';
import { Options } from './options.ts';

function generateTs(schema: Schema): void {
  const options = new Options(schema);
  const first = schema.files.find((each) => each.proto.package === 'publicapi.v1');
  const fileOf = (name: string) => {
    const file = schema.generateFile(name);
    if (first) file.preamble(first);
    return file;
  };
  new Messages(schema, options).print(schema, fileOf('messages.ts'));
  new Decoders(schema, fileOf('records.ts'), fileOf('decoders.ts')).print();
  printOperations(schema, fileOf('operations.ts'), options);
}

/**
 * Writes the registry: operations.ts has the policy of each operation, messages.ts the fields of what is sent and answered, records.ts the types of complete
 * records, and decoders.ts the functions that make them.
 */
export const plugin = createEcmaScriptPlugin({ name: 'protoc-gen-operations', version: 'v1', generateTs });
