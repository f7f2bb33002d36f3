# Container image of the graph: `npm run pack && docker build -t workspace-graph .`. It contains only the packed package (.dockerignore).
ARG NODE_VERSION=24.21.0

# The package's npm-shrinkwrap.json pins the dependencies that aren't bundled. MCP=true requires the optional peer dependency. No install scripts are run.
FROM node:${NODE_VERSION}-bookworm-slim AS install
COPY build/workspace-graph-[0-9]*.tgz /tmp/workspace-graph.tgz
RUN npm install --prefix /app --omit=dev --ignore-scripts --no-audit --no-fund /tmp/workspace-graph.tgz @modelcontextprotocol/server@2

FROM node:${NODE_VERSION}-bookworm-slim
# Removes the package managers, which the process doesn't need, to reduce the attack surface.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && install -d -o node -g node /data
COPY --from=install /app/node_modules /app/node_modules

# Listens on all interfaces, because requests come from outside the container. Only the ledger is written, so the root file system can be read-only.
ENV NODE_ENV=production HOST=0.0.0.0 LEDGER_URL=file:/data/ledger.sqlite
VOLUME /data
WORKDIR /data
# The image's user `node`, by number: Kubernetes can't verify by name that a user isn't root.
USER 1000:1000
EXPOSE 4000
STOPSIGNAL SIGTERM
# No HEALTHCHECK: the orchestrator probes /health/live and /health/ready (deploy/base/deployment.yaml).
ENTRYPOINT ["node", "/app/node_modules/workspace-graph/dist/main.js"]
CMD ["start"]
