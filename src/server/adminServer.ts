import type { IncomingMessage, ServerResponse } from 'node:http';
import { rejectForeignHosts } from '../lib/loopback.ts';
import { listen } from '../lib/startup.ts';
import type { Upstream } from '../upstream/client.ts';
import { type HealthPath, isHealthPath, type UpstreamHealth } from './http/health.ts';
import { createHttpServer, HTTP_LIMITS } from './http/http.ts';
import { normalizeTarget, sendInvalidTarget } from './http/requestTarget.ts';
import { sendForeignHost } from './http/sendError.ts';
import { METRICS_TYPE, type Metrics } from './telemetry/metrics.ts';

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  readonly upstream: Upstream;
  readonly upstreamHealth: UpstreamHealth;
  readonly metrics: Metrics;
  readonly serveHealth: (path: HealthPath, response: ServerResponse) => void;
}

/** Server for operators of the graph. */
export interface AdminServer {
  readonly url: string;
  close(): void;
}

/** Serves `/metrics` and the health checks on a separate port, so that a load balancer of the main port doesn't expose the metrics. */
export async function startAdmin(options: AdminOptions): Promise<AdminServer> {
  const { host, port, upstream, upstreamHealth, metrics, serveHealth } = options;
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end();
    if (isHealthPath(path)) return serveHealth(path, response);
    if (path !== '/metrics') return response.writeHead(404).end();
    const text = metrics.format(upstream, upstreamHealth.read());
    response.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }).end(text);
  };
  const serveOwnHosts = rejectForeignHosts(host, serve, sendForeignHost);
  // The target can name another host than the header.
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    normalizeTarget(request) ? serveOwnHosts(request, response) : sendInvalidTarget(response);
  const http = createHttpServer(HTTP_LIMITS, onRequest);
  const url = await listen(http.server, port, host, 'ADMIN_HOST and ADMIN_PORT');
  return {
    url,
    close: () => {
      http.closeNow();
      metrics.close();
    },
  };
}
