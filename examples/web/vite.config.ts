import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { graphUrl } from '../graphUrl.ts';

const { origin, pathname, search } = graphUrl(process.env);

/** Serves the page and the graph from one origin, so that CORS isn't needed. */
export default defineConfig({
  plugins: [react()],
  resolve: {
    tsconfigPaths: true,
    // The client package is compiled from its source, with the packages of this page.
    dedupe: ['@apollo/client', 'react'],
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/graphql': { target: origin, rewrite: () => pathname + search } } },
});
