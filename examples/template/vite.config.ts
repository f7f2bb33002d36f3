import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  // The page and the graph have one origin, so that the graph doesn't need CORS.
  server: { proxy: { '/graphql': process.env.GRAPH_ORIGIN ?? 'http://127.0.0.1:4000' } },
  test: { environment: 'happy-dom', testTimeout: 60_000 },
});
