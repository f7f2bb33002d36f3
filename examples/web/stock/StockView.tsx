import { useQuery } from '@apollo/client/react';
import { getDisplayed } from '../problems.ts';
import { ReadStatus } from '../ReadStatus.tsx';
import { ResultList } from '../ResultList.tsx';
import { createHref, goTo, replaceRoute } from '../route.ts';
import { SearchForm } from '../SearchForm.tsx';
import { useTitle } from '../useTitle.ts';
import { FindProducts, ProductByCode } from './documents.ts';
import { ProductCard } from './ProductCard.tsx';

/** Products that match a text. The first ones without a text. */
function Products({ text }: { readonly text: string }) {
  useTitle('Stock');
  const read = useQuery(FindProducts, { variables: { query: text || null }, errorPolicy: 'all' });
  const page = getDisplayed(read)?.products;
  return (
    <>
      <ReadStatus read={read}>
        {page?.nodes.length === 0 && <p className="unknown">{text ? `No product matches “${text}”.` : 'No products.'}</p>}
        {page?.pageInfo.hasNextPage && (
          <p className="unknown">
            The first {page.nodes.length} products. {text ? 'Type more' : 'Scan or search'} to find others.
          </p>
        )}
      </ReadStatus>
      <ResultList
        results={(page?.nodes ?? []).map(({ id, name, sku, isActive }) => ({
          id,
          href: createHref('stock', id),
          title: name,
          details: [sku, !isActive && 'inactive'],
        }))}
      />
    </>
  );
}

/** The product with a scanned code. Searches for the code if it isn't an identifier. */
function ScannedProduct({ code }: { readonly code: string }) {
  const read = useQuery(ProductByCode, { variables: { code }, errorPolicy: 'all' });
  const identifier = read.data?.productIdentifier;
  if (identifier?.product) return <ProductCard key={identifier.product.id} id={identifier.product.id} />;
  const isUnknown = identifier === null && !read.error;
  return (
    <>
      <ReadStatus read={read}>{isUnknown && <p>No product has the barcode or number “{code}”.</p>}</ReadStatus>
      {isUnknown && <Products text={code} />}
    </>
  );
}

interface StockViewProps {
  /** Empty if no product is selected. */
  readonly productId: string;
  /** The last scanned code. Empty if the text is searched as it's typed. */
  readonly code: string;
  readonly text: string;
}

/** The stock desk: finds a product by its barcode or name, and moves its stock. */
export function StockView({ productId, code, text }: StockViewProps) {
  return (
    <>
      <div className="toolbar">
        <h2>Stock</h2>
        <SearchForm
          label="Scan a barcode, or search"
          text={code || text}
          onSearch={(q) => replaceRoute('stock', '', { q })}
          onEnter={(scanned) => goTo('stock', '', { code: scanned })}
        />
      </div>
      {productId && <ProductCard key={productId} id={productId} />}
      {!productId && code && <ScannedProduct code={code} />}
      {!productId && !code && <Products text={text} />}
    </>
  );
}
