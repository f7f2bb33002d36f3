import type { Plan } from './plan.ts';

/** Demo data of a domain. */
export interface DemoData {
  /**
   * Names of records (`Plan.id` has their IDs), by the type that the contract has for them. The generic tests read and change these records,
   * most of them the first of each type.
   */
  readonly examples?: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Creates the records of one workspace. Absent if `sandbox/demo.ts` creates them together with the workspace. */
  readonly seed?: (plan: Plan) => void;
}

/** Declares demo data. `npm run codegen` adds the declaration to `sandbox/all.gen.ts`. */
export const demoData = (declared: DemoData): DemoData => declared;
