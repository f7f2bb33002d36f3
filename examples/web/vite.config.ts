import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { graphUrl } from '../graphUrl.ts';
import { contentSecurityPolicy } from './contentSecurityPolicy.ts';

const { origin, pathname, search } = graphUrl(process.env);

/** A policy in the page can't forbid frames. */
const headers = { 'content-security-policy': "frame-ancestors 'none'" };

/** What the page imports from other folders. The development server serves no other files of the checkout. */
const IMPORTED = ['../client', '../../cli', '../../client', '../../src'];

/** Serves the page and the graph from one origin, so that CORS isn't needed. */
export default defineConfig(({ mode, command, isPreview }) => {
  const { VITE_AUTH_ISSUER: issuer } = loadEnv(mode, fileURLToPath(new URL('.', import.meta.url)));
  const cspNonce = command === 'serve' && !isPreview ? randomUUID() : undefined;
  return {
    plugins: [react(), contentSecurityPolicy(issuer, cspNonce)],
    ...(cspNonce && { html: { cspNonce } }),
    resolve: {
      tsconfigPaths: true,
      // The client package and the import are compiled from their sources, with the packages of this page.
      dedupe: ['@apollo/client', 'graphql', 'react'],
    },
    server: {
      host: '127.0.0.1',
      port: 5173,
      headers,
      proxy: { '/graphql': { target: origin, rewrite: () => pathname + search } },
      fs: { allow: ['.', ...IMPORTED] },
    },
    preview: { headers },
  };
});
