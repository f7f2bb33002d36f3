// A protoc plugin: writes the registry of the contract, with no protobuf at run time.
import { runNodeJs } from '@bufbuild/protoplugin';
import { plugin } from './registry/plugin.ts';

runNodeJs(plugin);
