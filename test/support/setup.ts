// Loaded before each test file. Types are in the schema in the order in which their modules are imported, so that a test file that imports one of them
// first would get another order than the server.
import '../../src/graph.ts';
