# Container image of the graph and its sandbox: `npm run image -- --folder && docker build -t workspace-graph .`. `npm run image` builds it without a daemon, on a
# base without a shell. Only copies what deploy/image/main.ts has prepared, so it needs neither a network nor programs in the base, which only has to contain Node.js.
ARG BASE=docker.io/library/node:24.21.0-bookworm-slim
FROM ${BASE}

LABEL org.opencontainers.image.title="Workspace Graph" \
  org.opencontainers.image.source="https://github.com/your-org/workspace-graph" \
  org.opencontainers.image.licenses="MIT"

COPY build/image/node_modules /app/node_modules
# The only folder that the process writes to. The root file system can be read-only.
COPY --chown=1000:1000 build/image/data /data

# Listens on all interfaces, because requests come from outside the container.
ENV NODE_ENV=production HOST=:: SANDBOX_HOST=:: LEDGER_URL=file:/data/ledger.sqlite
VOLUME /data
WORKDIR /data
# By number: the base has no other users, and Kubernetes can't verify by name that a user isn't root.
USER 1000:1000
# The graph and the sandbox.
EXPOSE 4000 4010
STOPSIGNAL SIGTERM
# For Docker. Kubernetes uses the probes in deploy/base/deployment.yaml, and images in OCI format have no health check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# `docker run workspace-graph sandbox` starts only the sandbox.
ENTRYPOINT ["node", "/app/node_modules/workspace-graph/dist/main.js"]
CMD ["start"]
