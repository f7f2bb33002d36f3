import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

/** Imports rows, and returns the requests of an operation. */
async function importRows(operation: string, text: string, args: readonly string[], name?: string) {
  const file = createFile(text, name);
  const before = testGraph.sandbox.received.length;
  const { code, err } = await runImport(testGraph.sandbox.url, file, args);
  const calls = testGraph.sandbox.received.slice(before).filter((call) => call.operation.endsWith(`/${operation}`));
  return { code, err, file, requests: calls.map(({ request }) => request) };
}

describe('import of CSV', () => {
  it('creates customers with custom fields, texts that spreadsheets would execute, and timestamps of a time zone', async () => {
    const { data: workspace } = await testGraph.execute('{ customFieldDefinitions { name kind } }');
    const nameOf = (kind: string) => workspace.customFieldDefinitions.find((each: { kind: string }) => each.kind === kind).name as string;
    const [numeric, flag] = [nameOf('NUMBER'), nameOf('BOOLEAN')];
    const text = [
      `\uFEFFtitle;customerName;expectedCloseAt;customFields.${numeric};customFields.${flag}`,
      '=1+1;"Jansen; ""Ada""\nNorth";2026-07-01 14:00;120,5;yes',
      'Second;;;;',
    ].join('\r\n');
    const args = ['--mutation', 'customerCreate', '--time-zone', 'Europe/Amsterdam', '--locale', 'de'];
    const { code, err, file, requests } = await importRows('CreateCustomer', text, args);
    expect([code, err]).toEqual([0, expect.stringContaining('2 DONE')]);
    expect(requests).toEqual([
      expect.objectContaining({
        title: '=1+1',
        customerName: 'Jansen; "Ada"\nNorth',
        expectedCloseDate: String(Date.UTC(2026, 6, 1, 12) / 1_000),
      }),
      expect.objectContaining({ title: 'Second' }),
    ]);
    const [first] = readResults(file);
    expect(first).toEqual({ line: 2, status: 'DONE', ids: { customer: expect.any(String) } });
    const { data } = await testGraph.execute(
      `{ customer(id: "${first?.ids.customer}") { numeric: customField(name: "${numeric}") { number } flag: customField(name: "${flag}") { boolean } } }`,
    );
    expect(data.customer).toEqual({ numeric: { number: '120.5' }, flag: { boolean: true } });
  });

  it('reads countries by their codes and names', async () => {
    // cspell:disable-next-line
    const names = ['nl', 'Nederland', 'BELGIË', 'Germany', 'Pays-Bas', 'UK', 'Côte d’Ivoire'];
    const text = `title,phoneCountryCode\n${names.map((name) => `Country,${name}\n`).join('')}`;
    const { code, requests } = await importRows('CreateCustomer', text, ['--mutation', 'customerCreate']);
    expect(code).toBe(0);
    expect(requests.map(({ phoneCountry }) => phoneCountry).toSorted()).toEqual(['BE', 'CI', 'DE', 'GB', 'NL', 'NL', 'NL']);
    for (const wrong of ['EU', 'DD', 'Europa'])
      expect(await importRows('CreateCustomer', `title,phoneCountryCode\nA,${wrong}\n`, ['--mutation', 'customerCreate'])).toMatchObject({
        code: 1,
        err: expect.stringContaining(`The value "${wrong}" isn’t a country.`),
      });
  });

  it('creates products with prices by country, and constants and combined columns of a map', async () => {
    const map = createFile(
      'columns: { Price: priceOnce, Brand: null, Ignored: null }\nconstants: { vatRate: "0.21", isActive: "true" }\ncombine: { name: "{Brand} {Model}" }\n',
      'map.yaml',
    );
    const text = [
      'Brand,Model,sku,Price,Ignored,countryPrices.0.countryCode,countryPrices.0.priceOnceMinorUnits,countryPrices.0.vatRate',
      'Acme,X1,IMP-1,1250.5 EUR,?,DE,119900,0.19',
    ].join('\n');
    const { code, requests } = await importRows('CreateProduct', text, ['--mutation', 'productCreate', '--map', map.path]);
    expect(code).toBe(0);
    expect(requests).toEqual([expect.objectContaining({ name: 'Acme X1', sku: 'IMP-1' })]);
    const { data } = await testGraph.execute(
      '{ products(query: "IMP-1", first: 1) { nodes { name isActive priceOnce { amount currencyCode } countryPrices { countryCode vatRate } } } }',
    );
    expect(data.products.nodes).toEqual([
      {
        name: 'Acme X1',
        isActive: true,
        priceOnce: { amount: '1250.50', currencyCode: 'EUR' },
        countryPrices: [{ countryCode: 'DE', vatRate: '0.19' }],
      },
    ]);
  });

  it('replaces cells by the values of a map', async () => {
    const values = 'values: { Status: { active: true, expired: false, "?": null }, sku: { none: null } }';
    const map = createFile(`columns: { Status: isActive }\n${values}\n`, 'map.yaml');
    const text = 'name,sku,Status\nMap 1,MAP-1,active\nMap 2,none, expired \nMap 3,MAP-3,?\nMap 4,MAP-4,no\n';
    const args = ['--mutation', 'productCreate', '--map', map.path];
    const { code, file } = await importRows('CreateProduct', text, args);
    expect(code).toBe(0);
    const fields = readResults(file).map(({ ids }, row) => `r${row}: product(id: "${ids.product}") { sku isActive }`);
    const { data } = await testGraph.execute(`{ ${fields.join(' ')} }`);
    expect(data).toEqual({
      r0: { sku: 'MAP-1', isActive: true },
      r1: { sku: null, isActive: false },
      r2: { sku: 'MAP-3', isActive: true },
      r3: { sku: 'MAP-4', isActive: false },
    });
    const wrong = await importRows('CreateProduct', 'name,Status\nMap 1,unknown\n', [
      ...args.slice(0, -1),
      createFile('columns: { Status: isActive }\nvalues: { Status: { active: true } }', 'map.yaml').path,
    ]);
    expect([wrong.requests, wrong.err]).toEqual([
      [],
      expect.stringContaining(':2, column Status: The value "unknown" isn’t true or false'),
    ]);
  });

  it('reads values of a map in the standard notation, whatever the notation of their column is', async () => {
    const map = createFile('values: { priceOnce: { free: "0.50 EUR" }, isActive: { never: false } }', 'map.yaml').path;
    const text = 'name;sku;priceOnce;isActive\nMap 5;MAP-5;1.250,75 EUR;ja\nMap 6;MAP-6;free;never\n';
    const { code, file } = await importRows('CreateProduct', text, ['--mutation', 'productCreate', '--map', map]);
    expect(code).toBe(0);
    const fields = readResults(file).map(({ ids }, row) => `r${row}: product(id: "${ids.product}") { isActive priceOnce { amount } }`);
    const { data } = await testGraph.execute(`{ ${fields.join(' ')} }`);
    expect(data).toEqual({
      r0: { isActive: true, priceOnce: { amount: '1250.75' } },
      r1: { isActive: false, priceOnce: { amount: '0.50' } },
    });
  });

  it('refuses values of columns that it doesn’t import, values without cells, and maps of JSON lines', async () => {
    const refuse = async (map: string) =>
      (
        await importRows('CreateProduct', 'name,Status\nMap 1,active\n', [
          '--mutation',
          'productCreate',
          '--map',
          createFile(map, 'map.yaml').path,
        ])
      ).err;
    expect(await refuse('columns: { Status: null }\nvalues: { Status: { active: true } }')).toContain(
      'No column Status is imported to a field, but values of --map names it.',
    );
    const lines = createFile('{"name":"Map 1"}\n', 'rows.jsonl');
    const map = createFile('constants: { isActive: "true" }', 'map.yaml').path;
    const { err } = await runImport(testGraph.sandbox.url, lines, ['--mutation', 'productCreate', '--map', map]);
    expect(err).toContain('--map is for files with columns.');
    expect(await refuse('values: { Status: active }')).toContain('needs an object for values.Status');
    expect(await refuse('values: { Status: { active: [true] } }')).toContain('needs a text for values.Status.active');
  });

  it('sets stock of products and locations that it looks up in batches', async () => {
    const { data } = await testGraph.execute(
      '{ products(first: 24) { nodes { id rawId sku } } inventoryLocations(first: 1) { nodes { rawId code } } }',
    );
    const products = data.products.nodes.filter(({ sku }: { sku: string | null }) => sku);
    const [location] = data.inventoryLocations.nodes;
    const rows = products.map(({ sku }: { sku: string }, index: number) => `${sku},${location.code},Opening stock,${100 + index}`);
    const text = ['productId:sku,locationId:code,reason,change.targetAvailable', ...rows].join('\n');
    const { code, requests } = await importRows('AdjustInventory', text, ['--mutation', 'inventoryAdjust']);
    expect([code, products.length > 20]).toEqual([0, true]);
    expect(requests.map(({ productId, locationId }) => [productId, locationId])).toEqual(
      expect.arrayContaining(products.map(({ rawId }: { rawId: string }) => [rawId, location.rawId])),
    );
  });

  it('looks up customers by email, and products by identifier, and reports values without a record', async () => {
    const { data } = await testGraph.execute(
      '{ customers(first: 20) { nodes { rawId email } } products(first: 30) { nodes { rawId identifiers { value } } } inventoryLocations(first: 1) { nodes { rawId } } }',
    );
    const customer = data.customers.nodes.find(({ email }: { email: string | null }) => email);
    const product = data.products.nodes.find(({ identifiers }: { identifiers: object[] }) => identifiers.length > 0);
    const [location] = data.inventoryLocations.nodes;
    const comments = `customerId:email,body\n${customer.email},Imported\n`;
    const comment = await importRows('CreateCustomerComment', comments, ['--mutation', 'customerCommentCreate']);
    expect([comment.code, comment.requests.map(({ customerId }) => customerId)]).toEqual([0, [customer.rawId]]);
    const header = 'productId:identifier,locationId,reason,change.quantityDelta';
    const [{ value }] = product.identifiers;
    const stock = await importRows('AdjustInventory', `${header}\n${value},${location.rawId},Count,1\n`, ['--mutation', 'inventoryAdjust']);
    expect(stock.requests.map(({ productId }) => productId)).toEqual([product.rawId]);
    const unknown = await importRows('AdjustInventory', `${header}\nNOPE,${location.rawId},Count,1\n`, ['--mutation', 'inventoryAdjust']);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('The value "NOPE" matches no record by identifier. Use an ID.'),
    ]);
  });

  it('looks up orders by reference number, lists of roles, and agendas, and reports values of several records', async () => {
    const { data } = await testGraph.execute(
      '{ orderSearch(first: 50) { nodes { rawId referenceNumber currencyCode } } roles(first: 5) { nodes { rawId name } } agendas { name } appointmentTypes { rawId name } customers(first: 1) { nodes { rawId } } }',
    );
    const order = data.orderSearch.nodes.find(({ referenceNumber }: { referenceNumber: string | null }) => referenceNumber);
    const { currencyCode } = order;
    const payments = `orderId:referenceNumber,amount\n${order.referenceNumber},1 ${currencyCode}\n`;
    const payment = await importRows('CreatePayment', payments, ['--mutation', 'paymentCreate']);
    expect(payment.requests.map(({ orderId }) => orderId)).toEqual([order.rawId]);
    const [first, second] = data.roles.nodes;
    const members = `email,roleIds:name\nnew@example.com,${first.name} | ${second.name}\n`;
    const invitation = await importRows('EmailMemberInvitation', members, ['--mutation', 'memberInvitationCreate']);
    expect(invitation.requests.map(({ roleIds }) => roleIds)).toEqual([[first.rawId, second.rawId]]);
    const [type] = data.appointmentTypes;
    const appointments = `agendaId:name,appointmentTypeId:name,customerId,startsAt\nNope,${type.name},${data.customers.nodes[0].rawId},2026-07-01T09:00:00Z\n`;
    const appointment = await importRows('CreateAppointment', appointments, ['--mutation', 'appointmentCreate']);
    expect([appointment.requests, appointment.err]).toEqual([
      [],
      expect.stringContaining(':2, column agendaId:name: The value "Nope" matches no record by name.'),
    ]);
  });

  it('reports values beyond documented limits before anything is sent', async () => {
    const { data } = await testGraph.execute('{ products(first: 1) { nodes { rawId } } inventoryLocations(first: 2) { nodes { rawId } } }');
    const [from, to] = data.inventoryLocations.nodes;
    const row = (quantity: number, notes: string) => `${data.products.nodes[0].rawId},${from.rawId},${quantity},${to.rawId},${notes}`;
    const header = 'lines.0.productId,lines.0.sourceLocationId,lines.0.quantity,destinationLocationId,Remarks';
    const map = createFile('columns: { Remarks: notes }', 'map.yaml');
    const text = [header, row(1, 'ok'), row(0, 'ok'), row(1, 'x'.repeat(2_001))].join('\n');
    const { code, err, requests } = await importRows('MoveInventory', text, ['--mutation', 'inventoryMove', '--map', map.path]);
    expect([code, requests]).toEqual([1, []]);
    expect(err).toContain(':3, column lines.0.quantity: lines.0.quantity must be greater than 0, but is 0.');
    expect(err).toContain(':4, column Remarks: notes must have at most 2000 characters, but has 2001.');
  });

  it('clears fields by a token, and leaves out empty cells', async () => {
    const { data } = await testGraph.execute(
      'mutation { contactCreate(input: { lastName: "Doe", firstName: "J", phone: "+31201234567" }) { ... on ContactCreatePayload { contact { id } } } }',
    );
    const { id } = data.contactCreate.contact;
    const { code } = await importRows('UpdateContact', `contactId,lastName,firstName\n${id},,NULL\n`, [
      '--mutation',
      'contactUpdate',
      '--null-token',
      'NULL',
    ]);
    const { data: after } = await testGraph.execute(`{ contact(id: "${id}") { lastName firstName } }`);
    expect([code, after.contact]).toEqual([0, { lastName: 'Doe', firstName: null }]);
  });
});

describe('import of JSON lines', () => {
  it('sends objects as inputs', async () => {
    const lines = [{ title: 'First', customFields: [{ name: 'vip', value: { boolean: true } }] }, { title: 'Second\u2028line' }];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('\n');
    const { code, requests } = await importRows('CreateCustomer', text, ['--mutation', 'customerCreate'], 'rows.jsonl');
    expect([code, requests.map(({ title }) => title).toSorted()]).toEqual([0, ['First', 'Second\u2028line']]);
  });
});

describe('import --template', () => {
  it('prints the columns of a mutation, and sample rows', async () => {
    const { code, out } = await runImport(testGraph.sandbox.url, { path: '--template', ledgerFile: '' }, ['--mutation', 'contactCreate']);
    expect([code, out]).toEqual([0, 'lastName,firstName,email,phone,phoneCountryCode\nText,Text,Text,Text,NL\nText,,,,\n']);
    const adjust = await runImport(testGraph.sandbox.url, { path: '--template', ledgerFile: '' }, ['--mutation', 'inventoryMove']);
    expect(adjust.out.split('\n')[0]).toBe(
      'destinationLocationId,lines.0.productId,lines.0.sourceLocationId,lines.0.quantity,reference,notes',
    );
  });

  it('lists the custom fields of the workspace, and says why if it can’t', async () => {
    const source = { path: '--template', ledgerFile: '' };
    const printed = await runImport(testGraph.sandbox.url, source, ['--mutation', 'customerCreate']);
    const [headers = '', samples = ''] = printed.out.split('\n');
    const cells = new Map(headers.split(',').map((header, index) => [header, samples.split(',')[index]]));
    expect([cells.get('title'), cells.get('customFields.floor_area'), cells.get('customFields.has_parking')]).toEqual([
      'Text',
      '12.5',
      'true',
    ]);
    expect(cells.get('customFields.building_type')).toBe('house');
    // Addresses don't fit into a cell.
    expect(cells.has('customFields.site_address')).toBe(false);
    const offline = ['--mutation', 'customerCreate', '--url', 'http://127.0.0.1:9/graphql'];
    const { code, out, err } = await runImport(testGraph.sandbox.url, source, offline);
    expect([code, out.split('\n')[0]]).toEqual([0, 'title,customerName,email,phone,phoneCountryCode,expectedCloseAt']);
    expect(err).toContain('The template lacks the workspace’s custom fields: No graph can be reached');
  });
});
