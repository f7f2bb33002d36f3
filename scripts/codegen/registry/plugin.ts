import { createEcmaScriptPlugin, type Schema } from '@bufbuild/protoplugin';
import { Decoders } from './decoders.ts';
import { Messages } from './messages.ts';
import { printOperations } from './operations.ts';
import { OptionReader } from './options.ts';

function generateTs(schema: Schema): void {
  const options = new OptionReader(schema);
  const first = schema.files.find((each) => each.proto.package === 'publicapi.v1');
  const createFile = (name: string) => {
    const file = schema.generateFile(name);
    if (first) file.preamble(first);
    return file;
  };
  new Messages(schema, options).print(schema, createFile('messages.ts'));
  new Decoders(schema, createFile('records.ts'), createFile('decoders.ts')).print();
  printOperations(schema, createFile('operations.ts'), options);
}

/**
 * Writes the registry: operations.ts has the policy of each operation, messages.ts the fields of requests and responses, records.ts the types of complete
 * records, and decoders.ts the functions that decode them.
 */
export const plugin = createEcmaScriptPlugin({ name: 'protoc-gen-operations', version: 'v1', generateTs });
