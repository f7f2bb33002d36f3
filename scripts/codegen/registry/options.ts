import {
  type DescEnum,
  type DescEnumValue,
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  type Message,
} from '@bufbuild/protobuf';
import type { Schema } from '@bufbuild/protoplugin';

export interface PageOptions {
  readonly kind: number;
  readonly defaultSize: number;
  readonly maxSize: number;
  readonly maxPage: number;
  readonly stated: readonly string[];
  readonly cutField: string;
  readonly fromField: string;
  readonly toField: string;
}

export interface CoverOptions {
  readonly list: string;
  readonly provenance: number;
}

export interface PartsOptions {
  readonly owners: readonly string[];
  readonly provenance: number;
}

/** The options of an operation, as decoded by the extension. */
export interface OperationOptions extends Message {
  readonly scopes: readonly string[];
  readonly conditionalScopes: readonly { readonly scope: string; readonly field: string }[];
  readonly assumedScopes: readonly string[];
  readonly effect: number;
  readonly keyField: string;
  readonly keyWhen: string;
  readonly versionField: string;
  readonly transition: boolean;
  readonly moves: boolean;
  readonly page?: PageOptions;
  readonly provenance: number;
  readonly assumedName: boolean;
  readonly cover?: CoverOptions;
  readonly parts?: PartsOptions;
  readonly emptyIfMissing: boolean;
}

interface EntityOptions extends Message {
  readonly type: string;
  readonly idNames: readonly string[];
}

/** The root of the analytics catalog that contains a record. */
export interface IndexOptions extends Message {
  readonly root: string;
  readonly columns: readonly string[];
  readonly relationships: readonly { readonly name: string; readonly root: string }[];
}

const STATED = 1;

/** The package of the contract. Messages of other packages are treated as JSON. */
const PACKAGE = 'publicapi.v1';

/** Whether a type belongs to the contract, and not to protobuf or protovalidate. */
export const isContractType = ({ typeName }: DescMessage | DescEnum): boolean => typeName.startsWith('publicapi.');

/** The contract message that a field contains. Undefined for other fields; messages of other packages are JSON. */
export const getInnerMessage = ({ fieldKind, message }: DescField): DescMessage | undefined =>
  fieldKind !== 'map' && message && isContractType(message) ? message : undefined;

/** The JSON name of a field that an option names. */
export function getJsonName(message: DescMessage, protoName: string): string {
  const found = message.fields.find(({ name }) => name === protoName);
  if (!found) throw new Error(`${message.typeName} has no field ${protoName}, but an option names it.`);
  return found.jsonName;
}

/**
 * Reads the options that options.proto declares. Finds the extensions in the given files instead of importing generated code, so that changing them requires no
 * earlier run.
 */
export class OptionReader {
  readonly #extensions: ReadonlyMap<string, DescExtension>;

  constructor({ allFiles }: Pick<Schema, 'allFiles'>) {
    this.#extensions = new Map(allFiles.flatMap(({ extensions }) => extensions).map((each) => [each.typeName, each]));
  }

  getOperation(method: DescMethod): OperationOptions {
    return getOption(method, this.#getExtension('operation')) as OperationOptions;
  }

  /** Whether a message is a record. Records are the messages in responses that declare their provenance. */
  isRecord(message: DescMessage): boolean {
    return hasOption(message, this.#getExtension('record'));
  }

  getEntity(message: DescMessage): EntityOptions | undefined {
    const extension = this.#getExtension('entity');
    return hasOption(message, extension) ? (getOption(message, extension) as EntityOptions) : undefined;
  }

  getIndex(message: DescMessage): IndexOptions | undefined {
    const extension = this.#getExtension('index');
    return hasOption(message, extension) ? (getOption(message, extension) as IndexOptions) : undefined;
  }

  /** Whether the field is undocumented, according to its own option, or otherwise that of its message. Without either, it is assumed. */
  isAssumed(field: DescField): boolean {
    const { parent } = field;
    if (hasOption(field, this.#getExtension('field'))) return getOption(field, this.#getExtension('field')) !== STATED;
    return getOption(parent, this.#getExtension(this.isRecord(parent) ? 'record' : 'input')) !== STATED;
  }

  /** The documented rules of the field, by protovalidate's names. */
  getStatedRules(field: DescField): readonly string[] {
    return getOption(field, this.#getExtension('stated')) as readonly string[];
  }

  isSensitive(field: DescField): boolean {
    return getOption(field, this.#getExtension('sensitive')) === true;
  }

  isCombinationStated(message: DescMessage): boolean {
    return getOption(message, this.#getExtension('combination')) === STATED;
  }

  isValueAssumed(value: DescEnumValue): boolean {
    return getOption(value, this.#getExtension('word')) !== STATED;
  }

  isSegmentAssumed(service: DescService): boolean {
    return getOption(service, this.#getExtension('segment')) !== STATED;
  }

  /** The name of the service's area. */
  getArea(service: DescService): string {
    const extension = this.#getExtension('area');
    const found = extension.enum?.value[getOption(service, extension) as number];
    if (!found || found.number === 0) throw new Error(`${service.name} has no area. Set its option (publicapi.v1.area).`);
    return found.localName.toLowerCase();
  }

  isShapeAssumed(method: DescMethod): boolean {
    return this.getOperation(method).provenance !== STATED;
  }

  isCoverAssumed({ provenance }: CoverOptions | PartsOptions): boolean {
    return provenance !== STATED;
  }

  /** Undefined if the field doesn't declare a reference. Empty if it declares that it refers to no record. */
  getReference(field: DescField): string | undefined {
    const extension = this.#getExtension('refers');
    return hasOption(field, extension) ? (getOption(field, extension) as string) : undefined;
  }

  /** The number of its unit. Undefined if the field doesn't declare one. */
  getUnit(field: DescField): number | undefined {
    const extension = this.#getExtension('unit');
    return hasOption(field, extension) ? (getOption(field, extension) as number) : undefined;
  }

  #getExtension(name: string): DescExtension {
    const found = this.#extensions.get(`${PACKAGE}.${name}`);
    if (!found) throw new Error(`options.proto must extend the options with ${name}.`);
    return found;
  }
}
