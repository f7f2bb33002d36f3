import { stringify } from 'yaml';
import type { EnumOverlay, OperationOverlay, Overlay } from '../upstream/contract/overlay.ts';

/** What a run found that an overlay can correct. */
export interface Corrections {
  readonly services: ReadonlyMap<string, string>;
  /** Sizes of pages, by operation. */
  readonly caps: ReadonlyMap<string, number>;
  /** Operations that no list covers. */
  readonly uncovered: ReadonlySet<string>;
  /** Names on the wire, by message. */
  readonly renames: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly enums: ReadonlyMap<string, EnumOverlay>;
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

function operationsOf({ caps, uncovered }: Corrections, before: Overlay): Record<string, OperationOverlay> {
  const operations: Record<string, OperationOverlay> = { ...before.operations };
  for (const [name, maxSize] of caps) operations[name] = { ...operations[name], page: { ...operations[name]?.page, maxSize } };
  for (const name of uncovered) operations[name] = { ...operations[name], cover: null };
  return operations;
}

/** The overlay that a run was made with, and the corrections on top of it. Null where there is nothing to correct. */
export function proposedOverlay(corrections: Corrections, before: Overlay): Partial<Overlay> | null {
  const { services, renames, enums, caps, uncovered } = corrections;
  if (services.size + renames.size + enums.size + caps.size + uncovered.size === 0) return null;
  const fields = { ...before.fields };
  for (const [message, names] of renames) fields[message] = { ...fields[message], ...Object.fromEntries(names) };
  const all: Overlay = {
    services: { ...before.services, ...Object.fromEntries(services) },
    operations: operationsOf(corrections, before),
    fields,
    enums: { ...before.enums, ...Object.fromEntries(enums) },
  };
  return Object.fromEntries(Object.entries(all).filter(([, part]) => !isEmpty(part)));
}

/** An overlay as CONTRACT_OVERLAY takes it. */
export const overlayText = (overlay: Partial<Overlay>): string => stringify(overlay);
