import { stringify } from 'yaml';
import { ExecuteQuery } from '../../src/upstream/contract/generated/operations.ts';
import { type IndexOverlay, mergeIndexOverlays } from '../../src/upstream/contract/indexOverlay.ts';
import type { EnumOverlay, OperationOverlay, Overlay, SortDirectionSupport } from '../../src/upstream/contract/overlay.ts';

/** Differences that an overlay can correct. */
export interface Corrections {
  readonly services: ReadonlyMap<string, string>;
  /** Maximum page sizes, by operation. */
  readonly caps: ReadonlyMap<string, number>;
  /** Operations without a covering list. */
  readonly uncovered: ReadonlySet<string>;
  /** Wire names of fields, by message. */
  readonly renames: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly enums: ReadonlyMap<string, EnumOverlay>;
  readonly indexes: ReadonlyMap<string, IndexOverlay | null>;
  /** Null if it's as declared. */
  readonly sortDirection: SortDirectionSupport | null;
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

function createOperationOverlays({ caps, uncovered, sortDirection }: Corrections, before: Overlay): Record<string, OperationOverlay> {
  const operations: Record<string, OperationOverlay> = { ...before.operations };
  for (const [name, maxSize] of caps) operations[name] = { ...operations[name], page: { ...operations[name]?.page, maxSize } };
  for (const name of uncovered) operations[name] = { ...operations[name], cover: null };
  if (sortDirection !== null) operations[ExecuteQuery.name] = { ...operations[ExecuteQuery.name], sortDirection };
  return operations;
}

/** The overlay of the run with the corrections added. Null if there is nothing to correct. */
export function createOverlay(corrections: Corrections, before: Overlay): Partial<Overlay> | null {
  const { services, renames, enums, caps, uncovered, indexes, sortDirection } = corrections;
  const sizes = [services, renames, enums, caps, uncovered, indexes].map(({ size }) => size);
  if (sizes.every((size) => size === 0) && sortDirection === null) return null;
  const fields = { ...before.fields };
  for (const [message, names] of renames) fields[message] = { ...fields[message], ...Object.fromEntries(names) };
  const all: Overlay = {
    services: { ...before.services, ...Object.fromEntries(services) },
    operations: createOperationOverlays(corrections, before),
    fields,
    enums: { ...before.enums, ...Object.fromEntries(enums) },
    indexes: mergeIndexOverlays(before.indexes, indexes),
  };
  return Object.fromEntries(Object.entries(all).filter(([, part]) => !isEmpty(part)));
}

/** An overlay in the format of CONTRACT_OVERLAY. */
export const formatOverlay = (overlay: Partial<Overlay>): string => stringify(overlay);
