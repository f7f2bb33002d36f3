import { services } from './all.gen.ts';
import type { Endpoint } from './kernel/service.ts';

/** All operations that the sandbox implements. */
export const endpoints: readonly Endpoint[] = services.flatMap((each) => each.endpoints);
