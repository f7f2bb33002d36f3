import { isJsonObject } from '../../lib/json.ts';
import { createEnumTranslation, type ValueTranslation } from './enumTranslation.ts';
import type { MessageField, MessageFields } from './fields.ts';
import { ExecuteQuery } from './generated/operations.ts';
import type { ExecuteQueryRequestJson } from './generated/publicapi/v1/analytics_pb.ts';
import type { AnyOperation, Operation, Page, WireForm } from './operation.ts';
import { getWirePath, NO_OVERLAY, type Overlay, type PageOverlay, type SortDirectionSupport, wireNames } from './overlay.ts';
import { rulesOf } from './rules.ts';
import { WireIndexes } from './wireIndexes.ts';

/** Translates the names in a message. Unknown members are unchanged. */
type Translation = (message: object) => object;

const translateEach =
  (translate: ValueTranslation): ValueTranslation =>
  (value) =>
    Array.isArray(value) ? value.map(translate) : translate(value);

/** Creates the translation of each message once. Undefined for messages in which nothing is renamed. */
class Translations {
  readonly #overlay: Overlay;
  readonly #direction: 'encode' | 'decode';
  readonly #translations = new Map<string, Translation>();

  constructor(overlay: Overlay, direction: 'encode' | 'decode') {
    this.#overlay = overlay;
    this.#direction = direction;
  }

  get(message: MessageFields): Translation | undefined {
    const known = this.#translations.get(message.name);
    if (known) return known;
    if (!this.#hasRenames(message)) return undefined;
    // Cached before its fields are visited, because messages can be recursive.
    let translate: Translation = (value) => value;
    const translation: Translation = (value) => translate(value);
    this.#translations.set(message.name, translation);
    translate = this.#create(message);
    return translation;
  }

  #create(message: MessageFields): Translation {
    const isEncoding = this.#direction === 'encode';
    const names = new Map<string, string>();
    const values = new Map<string, ValueTranslation>();
    // A member with a name that means another field there must not be read as the field that has this name here.
    const taken = new Set<string>();
    for (const [field, wire] of wireNames(message, this.#overlay)) {
      const [from, to] = isEncoding ? [field, wire] : [wire, field];
      if (from !== to) {
        names.set(from, to);
        taken.add(to);
      }
      const translate = this.#getValueTranslation(message.fields[field] as MessageField);
      if (translate) values.set(from, translateEach(translate));
    }
    return (members) =>
      Object.fromEntries(
        Object.entries(members).flatMap(([name, value]) => {
          const to = names.get(name);
          if (to === undefined && taken.has(name)) return [];
          return [[to ?? name, values.get(name)?.(value) ?? value]];
        }),
      );
  }

  #getValueTranslation({ type, message }: MessageField): ValueTranslation | undefined {
    if (type !== undefined) return createEnumTranslation(type, this.#overlay, this.#direction);
    const translate = message && this.get(message);
    return translate && ((value) => (isJsonObject(value) ? translate(value) : value));
  }

  /** Whether anything in the message is renamed. `seen` has the visited messages, because messages can be recursive. */
  #hasRenames(message: MessageFields, seen = new Set<MessageFields>()): boolean {
    if (seen.has(message)) return false;
    seen.add(message);
    for (const [field, wire] of wireNames(message, this.#overlay)) if (field !== wire) return true;
    return Object.values(message.fields).some(
      ({ type, message: inner }) =>
        (type !== undefined && type in this.#overlay.enums) || (inner !== undefined && this.#hasRenames(inner, seen)),
    );
  }
}

const identity: Translation = (message) => message;

/** Removes the default direction from the sort of an analytics query, because the upstream rejects unknown members. */
function removeAscending(request: object): object {
  const { query = {} } = request as ExecuteQueryRequestJson;
  const sort = query.sort?.map(({ direction, ...key }) => (direction === 'ANALYTICS_SORT_DIRECTION_DESC' ? { ...key, direction } : key));
  return { ...request, query: { ...query, ...(sort && { sort }) } };
}

/** The contract with the corrections of an overlay. Without an overlay, the operations are the contract's own objects. */
export class Contract {
  readonly #overlay: Overlay;
  readonly indexes: WireIndexes;
  readonly #encoding: Translations;
  readonly #decoding: Translations;
  readonly #corrected = new Map<AnyOperation, AnyOperation>();
  readonly #messages = new Map<MessageFields, MessageFields>();

  constructor(overlay: Overlay = NO_OVERLAY) {
    this.#overlay = overlay;
    this.indexes = new WireIndexes(overlay);
    this.#encoding = new Translations(overlay, 'encode');
    this.#decoding = new Translations(overlay, 'decode');
  }

  /** How analytics queries can be sorted in descending order. */
  get sortDirection(): SortDirectionSupport {
    return this.#overlay.operations[ExecuteQuery.name]?.sortDirection ?? 'TYPED';
  }

  /** Returns the operation with the overlay's corrections. */
  getOperation<Request, Response, Message extends MessageFields>(
    operation: Operation<Request, Response, Message>,
  ): Operation<Request, Response, Message> {
    if (this.#overlay === NO_OVERLAY) return operation;
    let corrected = this.#corrected.get(operation);
    if (!corrected) {
      corrected = this.#correct(operation);
      this.#corrected.set(operation, corrected);
    }
    return corrected as typeof operation;
  }

  #correct(operation: AnyOperation): AnyOperation {
    const { page, effect } = operation;
    const own = this.#overlay.operations[operation.name] ?? {};
    const request = this.#correctMessage(operation.request, own.page);
    const wire = this.#createWireForm(operation);
    const { cover: usual, parts, ...known } = operation;
    const cover = own.cover === undefined ? usual : own.cover === null ? undefined : { list: own.cover };
    const corrected = {
      ...known,
      ...(cover && { cover }),
      ...(parts && own.cover !== null && { parts }),
      path: getWirePath(operation, this.#overlay),
      request,
      ...(request !== operation.request && { rules: rulesOf(request) }),
      ...(page && { page: { ...page, ...own.page } satisfies Page }),
      ...(wire && { wire }),
    };
    if (own.keyField === undefined || (own.keyField !== null && effect === 'KEYED')) return corrected;
    const { keyField: _key, keyWhen: _when, ...rest } = corrected;
    // Without a key, a repeat may be a second write. `CRITICAL` is the most careful effect.
    return own.keyField === null ? { ...rest, effect: 'CRITICAL' } : { ...rest, keyField: own.keyField, effect: 'KEYED' };
  }

  #createWireForm({ name, request, response }: AnyOperation): WireForm | undefined {
    const rename = this.#encoding.get(request);
    const isUndirected = name === ExecuteQuery.name && this.sortDirection !== 'TYPED';
    const encode = isUndirected ? (message: object) => (rename ?? identity)(removeAscending(message)) : rename;
    const decode = this.#decoding.get(response);
    if (!encode && !decode) return undefined;
    return { encode: encode ?? identity, decodeRequest: this.#decoding.get(request) ?? identity, decode: decode ?? identity };
  }

  /** Returns a message with its wire names and its maximum page size. */
  #correctMessage(message: MessageFields, page?: PageOverlay): MessageFields {
    if (!page && !this.#encoding.get(message)) return message;
    const known = this.#messages.get(message);
    if (known) return known;
    const fields: Record<string, MessageField> = {};
    const corrected: MessageFields = { ...message, fields };
    this.#messages.set(message, corrected);
    const names = wireNames(message, this.#overlay);
    for (const [name, field] of Object.entries(message.fields)) {
      const wire = names.get(name);
      fields[name] = {
        ...field,
        ...(wire !== undefined && wire !== name && { wire }),
        ...(name === 'pageSize' && page?.maxSize !== undefined && { lte: page.maxSize }),
        ...(field.message && { message: this.#correctMessage(field.message) }),
      };
    }
    return corrected;
  }
}
