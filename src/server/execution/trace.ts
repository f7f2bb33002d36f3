import { useApolloInlineTrace } from '@graphql-yoga/plugin-apollo-inline-trace';
import type { Plugin } from 'graphql-yoga';

/**
 * A trace must not replace the response that it describes. The package fails if an error has the path of a field that wasn't executed, because the operation was
 * rejected before. It also passes each field of a trace as a call argument, and about ten thousand arguments exceed the stack. Such a response is sent without its
 * trace, or without the errors in it.
 */
function ignoreFailures(plugin: Plugin): Plugin {
  const { onExecutionResult } = plugin;
  if (!onExecutionResult) return plugin;
  return {
    ...plugin,
    onExecutionResult(payload) {
      try {
        return onExecutionResult(payload);
      } catch {}
    },
  };
}

/** Adds federated traces (ftv1) for routers that request them. */
export function useTrace(): Plugin {
  const { onPluginInit, ...plugin } = useApolloInlineTrace() as Plugin;
  return {
    ...plugin,
    onPluginInit: (payload) => onPluginInit?.({ ...payload, addPlugin: (added: Plugin) => payload.addPlugin(ignoreFailures(added)) }),
  };
}
