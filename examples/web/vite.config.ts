import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { graphUrl } from '../graphUrl.ts';

const { origin, pathname, search } = graphUrl(process.env);

/** Serves the page and the graph from one origin, so that CORS isn't needed. */
export default defineConfig({
  plugins: [react()],
  server: { host: '127.0.0.1', port: 5173, proxy: { '/graphql': { target: origin, rewrite: () => pathname + search } } },
});
