import { services } from './all.gen.ts';
import type { Endpoint } from './kernel/service.ts';

/** Every operation that the sandbox serves. */
export const endpoints: readonly Endpoint[] = services.flatMap((each) => each.endpoints);
