import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const graphUrl = process.env.GRAPH_URL ?? 'http://127.0.0.1:4000';

/** The page and the graph under one origin: no CORS is needed. */
export default defineConfig({
  plugins: [react()],
  server: { host: '127.0.0.1', port: 5173, proxy: { '/graphql': graphUrl } },
});
