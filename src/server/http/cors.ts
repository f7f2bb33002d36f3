import type { CORSOptions } from 'graphql-yoga';

/**
 * CORS headers: pages on the origins that are listed may call, all others hear nothing. Cookies stay out of it,
 * since keys come in headers.
 */
export function corsFor(origins: readonly string[]): ((request: Request) => CORSOptions) | false {
  if (origins.length === 0) return false;
  return (request) => {
    const origin = request.headers.get('origin') ?? '';
    return origins.includes(origin) ? { origin, methods: ['GET', 'POST'], credentials: false, exposedHeaders: ['x-request-id'] } : false;
  };
}
