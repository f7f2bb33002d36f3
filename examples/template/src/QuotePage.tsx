import { useQuery } from '@apollo/client/react';
import { Badge, Group, Table, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { QuoteById } from './documents.ts';
import { formatMoney, formatRate, formatTime, isZero } from './format.ts';
import type { QuoteDetailsFragment } from './gql/graphql.ts';
import { ButtonLink } from './links.tsx';
import { Status } from './Status.tsx';

const PERIODS: Readonly<Record<string, string>> = { MONTHLY: 'per month', YEARLY: 'per year' };

function Lines({ quote }: { quote: QuoteDetailsFragment }) {
  const totals = [
    { label: 'Total', total: quote.totalOnce },
    { label: 'Total per month', total: quote.totalMonthly },
    { label: 'Total per year', total: quote.totalYearly },
  ];
  const discounts = quote.discounts
    .flatMap(({ discountId, name, amountOnce, amountMonthly, amountYearly }) => [
      { key: `${discountId} once`, label: `Discount ${name}`, amount: amountOnce },
      { key: `${discountId} monthly`, label: `Discount ${name} per month`, amount: amountMonthly },
      { key: `${discountId} yearly`, label: `Discount ${name} per year`, amount: amountYearly },
    ])
    .filter(({ amount }) => !isZero(amount));
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {['Product', 'Quantity', 'Price', 'VAT', 'Total'].map((name) => (
              <Table.Th key={name} ta={name === 'Product' ? 'start' : 'end'}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {quote.lines.map(({ id, productName, quantity, priceType, unitPrice, vatRate, total }) => (
            <Table.Tr key={id}>
              <Table.Td>{productName}</Table.Td>
              <Table.Td ta="end">{quantity}</Table.Td>
              <Table.Td ta="end">
                {formatMoney(unitPrice)} {PERIODS[priceType]}
              </Table.Td>
              <Table.Td ta="end">{formatRate(vatRate)}</Table.Td>
              <Table.Td ta="end">{formatMoney(total)}</Table.Td>
            </Table.Tr>
          ))}
          {discounts.map(({ key, label, amount }) => (
            <Table.Tr key={key}>
              <Table.Td colSpan={4}>{label}</Table.Td>
              <Table.Td ta="end">−{formatMoney(amount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          {totals
            .filter(({ label, total }) => label === 'Total' || !isZero(total))
            .map(({ label, total }) => (
              <Table.Tr key={label}>
                <Table.Th colSpan={4}>{label}</Table.Th>
                <Table.Th ta="end">{formatMoney(total)}</Table.Th>
              </Table.Tr>
            ))}
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A quote with its lines. */
export function QuotePage() {
  const { id } = useParams({ from: '/quotes/$id' });
  const { data, error, loading, refetch } = useQuery(QuoteById, { variables: { id }, errorPolicy: 'all' });
  const quote = data?.quote;
  if (!quote)
    return <Status isLoading={loading} text={!loading && !error && 'This quote doesn’t exist.'} error={error} retry={() => refetch()} />;
  return (
    <>
      <title>{quote.referenceNumber}</title>
      <Group justify="space-between">
        <Title order={1}>
          {quote.referenceNumber} {quote.title}
        </Title>
        {quote.status === 'CONCEPT' && (
          <ButtonLink to="/quotes/$id/edit" params={{ id }}>
            Change quantities
          </ButtonLink>
        )}
      </Group>
      <Group my="md">
        <Badge variant="light">{quote.status === 'CONCEPT' ? 'Draft' : quote.status}</Badge>
        <Text>{quote.customer?.title}</Text>
        <Text>Created {formatTime(quote.createdAt)}</Text>
        <Text>Changed {formatTime(quote.updatedAt)}</Text>
      </Group>
      <Lines quote={quote} />
      <Text size="sm" mt="xs">
        Amounts exclude VAT.
      </Text>
      <Status error={error} retry={() => refetch()} />
    </>
  );
}
