import './schema/scalars.ts';
import './schema/errors.ts';
import './schema/nodes.ts';
import './resolvers/backorders.ts';
import './resolvers/catalog.ts';
import './resolvers/comments.ts';
import './resolvers/contacts.ts';
import './resolvers/customers.ts';
import './resolvers/dataFields.ts';
import './resolvers/files.ts';
import './resolvers/identifiers.ts';
import './resolvers/inventory.ts';
import './resolvers/journey.ts';
import './resolvers/orders.ts';
import './resolvers/portfolios.ts';
import './resolvers/quotes.ts';
import './resolvers/receipts.ts';
import './resolvers/reservations.ts';
import './resolvers/timeline.ts';
import './resolvers/transfers.ts';
import './resolvers/workspace.ts';
import { builder } from './schema/builder.ts';
import { withCheckedReferences } from './schema/references.ts';

/** The version of the federation specification: the newest that Apollo's, The Guild's and Cosmo's composers all take. */
const LINK_URL = 'https://specs.apollo.dev/federation/v2.9';

/** The whole graph, as a schema that serves clients and supergraphs alike. */
export const graph = withCheckedReferences(builder.toSubGraphSchema({ linkUrl: LINK_URL }));
