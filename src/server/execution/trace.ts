import { useApolloInlineTrace } from '@graphql-yoga/plugin-apollo-inline-trace';
import type { Plugin } from 'graphql-yoga';

/** The package writes a trace as the arguments of one call, of which some ten thousand fill the stack: such an answer goes without its trace. */
function unlessTooLong(plugin: Plugin): Plugin {
  const { onExecutionResult } = plugin;
  if (!onExecutionResult) return plugin;
  return {
    ...plugin,
    onExecutionResult(payload) {
      try {
        return onExecutionResult(payload);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    },
  };
}

/** Traces requests for routers that want it (ftv1). */
export function useTrace(): Plugin {
  const { onPluginInit, ...plugin } = useApolloInlineTrace() as Plugin;
  return {
    ...plugin,
    onPluginInit: (payload) => onPluginInit?.({ ...payload, addPlugin: (added: Plugin) => payload.addPlugin(unlessTooLong(added)) }),
  };
}
