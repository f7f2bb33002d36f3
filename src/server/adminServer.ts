import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../lib/starting.ts';
import type { Upstream } from '../upstream/client.ts';
import { METRICS_TYPE, type Metrics } from './metrics.ts';

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly upstream: Upstream;
  readonly metrics: Metrics;
  /** Answers the paths of health on the graph's own port. */
  readonly serveHealth: (path: string, response: ServerResponse) => Promise<void>;
}

/** Server for those who run the graph. */
export interface AdminServer {
  readonly url: string;
  close(): void;
}

const HEALTH: Readonly<Record<string, string>> = { '/livez': '/health/live', '/readyz': '/health/ready' };

/** Serves `/metrics`, `/livez` and `/readyz` on a port of their own, so that no balancer of the graph's port shows them to the world. */
export async function startAdmin({ host, port, upstream, metrics, serveHealth }: AdminOptions): Promise<AdminServer> {
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const health = HEALTH[path];
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end();
    if (health) return serveHealth(health, response);
    if (path !== '/metrics') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }).end(metrics.text(upstream));
  });
  const url = await listen(server, port, host, 'ADMIN_HOST and ADMIN_PORT');
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
      metrics.close();
    },
  };
}
