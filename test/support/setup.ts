// Loaded before each test file. The schema contains types in the order in which their modules are imported, so a test file that imports one of these modules
// first would change the order.
import '../../src/graph.ts';
