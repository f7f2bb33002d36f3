// A protoc plugin that writes the registry of the contract, so that the graph needs no protobuf at run time.
import { runNodeJs } from '@bufbuild/protoplugin';
import { plugin } from './registry/plugin.ts';

runNodeJs(plugin);
