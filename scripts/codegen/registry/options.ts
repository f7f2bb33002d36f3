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
  readonly of: string;
  readonly provenance: number;
}

/** The options of an operation, as the extension decodes them. */
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

const STATED = 1;

/** The package of the contract. Messages of others are JSON to it. */
const PACKAGE = 'publicapi.v1';

/** The contract's own, in contrast to protobuf's and protovalidate's. */
export const isOwn = ({ typeName }: DescMessage | DescEnum): boolean => typeName.startsWith('publicapi.');

/** The contract's own message that a field holds; undefined for others, which are JSON. */
export const innerOf = ({ fieldKind, message }: DescField): DescMessage | undefined =>
  fieldKind !== 'map' && message && isOwn(message) ? message : undefined;

/** The name on the wire of a field that an option names. */
export function jsonName(message: DescMessage, protoName: string): string {
  const found = message.fields.find(({ name }) => name === protoName);
  if (!found) throw new Error(`${message.typeName} has no field ${protoName}, but an option names it.`);
  return found.jsonName;
}

/** Reads the options that options.proto declares. They are found in the files at hand, not imported: so a change of them needs no earlier run. */
export class Options {
  readonly #extensions: ReadonlyMap<string, DescExtension>;

  constructor({ allFiles }: Pick<Schema, 'allFiles'>) {
    this.#extensions = new Map(allFiles.flatMap(({ extensions }) => extensions).map((each) => [each.typeName, each]));
  }

  operation(method: DescMethod): OperationOptions {
    return getOption(method, this.#extension('operation')) as OperationOptions;
  }

  /** Records are the messages that answers hold, and say who vouches for them. */
  isRecord(message: DescMessage): boolean {
    return hasOption(message, this.#extension('record'));
  }

  entity(message: DescMessage): EntityOptions | undefined {
    const entity = this.#extension('entity');
    return hasOption(message, entity) ? (getOption(message, entity) as EntityOptions) : undefined;
  }

  /** Whether nobody has documented the field. Records say so of each; a request counts as a guess wherever it says nothing. */
  isAssumed(field: DescField): boolean {
    const { parent } = field;
    if (hasOption(field, this.#extension('field'))) return getOption(field, this.#extension('field')) !== STATED;
    return getOption(parent, this.#extension(this.isRecord(parent) ? 'record' : 'input')) !== STATED;
  }

  /** The rules of the field that are documented, in protovalidate's words. */
  statedRules(field: DescField): readonly string[] {
    return getOption(field, this.#extension('stated')) as readonly string[];
  }

  isSensitive(field: DescField): boolean {
    return getOption(field, this.#extension('sensitive')) === true;
  }

  isCombinationStated(message: DescMessage): boolean {
    return getOption(message, this.#extension('combination')) === STATED;
  }

  isWordAssumed(word: DescEnumValue): boolean {
    return getOption(word, this.#extension('word')) !== STATED;
  }

  isSegmentAssumed(service: DescService): boolean {
    return getOption(service, this.#extension('segment')) !== STATED;
  }

  /** The name of the service's area. */
  area(service: DescService): string {
    const extension = this.#extension('area');
    const found = extension.enum?.value[getOption(service, extension) as number];
    if (!found || found.number === 0) throw new Error(`${service.name} has no area. Set its option (publicapi.v1.area).`);
    return found.localName.toLowerCase();
  }

  isShapeAssumed(method: DescMethod): boolean {
    return this.operation(method).provenance !== STATED;
  }

  isCoverAssumed({ provenance }: CoverOptions | PartsOptions): boolean {
    return provenance !== STATED;
  }

  /** Undefined when the field says nothing; empty when it is said to name no record. */
  refers(field: DescField): string | undefined {
    const refers = this.#extension('refers');
    return hasOption(field, refers) ? (getOption(field, refers) as string) : undefined;
  }

  /** The number of its unit; undefined when the field says nothing. */
  unit(field: DescField): number | undefined {
    const unit = this.#extension('unit');
    return hasOption(field, unit) ? (getOption(field, unit) as number) : undefined;
  }

  #extension(name: string): DescExtension {
    const found = this.#extensions.get(`${PACKAGE}.${name}`);
    if (!found) throw new Error(`options.proto must extend the options with ${name}.`);
    return found;
  }
}
