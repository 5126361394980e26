import { type ReactNode, Suspense } from 'react'
import type { Product } from '../../../catalogue.ts'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import type { Dictionary } from '../../../dictionaries/en.ts'
import { formatPrice, stockText } from '../../../dictionaries/format.ts'
import type { Language } from '../../../languages.ts'
import { readStock } from '../../../stock.ts'
import { Vessel } from '../../../ui/vessel.tsx'
import { AddButton, AddToCart } from '../cart/addToCart.tsx'

type Props = { readonly product: Product; readonly lang: Language; readonly heading: 'h1' | 'h2' }

/** Shows the details of a product, on its page and in the dialog. */
export function ProductDetails({ product, lang, heading: Heading }: Props): ReactNode {
  const { product: texts, glazes } = dictionaryOf(lang)
  return (
    <article className="product">
      <div className={`stage ${product.glaze}`}>
        <Vessel product={product} label={product.name[lang]} />
      </div>
      <div>
        <Heading>{product.name[lang]}</Heading>
        <p className="price">{formatPrice(product.priceCents, lang)}</p>
        <p className="lead">{product.text[lang]}</p>
        <dl>
          <dt>{texts.size}</dt>
          <dd>{product.size}</dd>
          <dt>{texts.glaze}</dt>
          <dd>{glazes[product.glaze]}</dd>
        </dl>
        <Suspense fallback={<p className="stock" />}>
          <StockLine {...{ product, texts }} />
        </Suspense>
        {/* Keep the form outside of the Suspense boundary: a form in a fallback loses its state. */}
        <AddToCart slug={product.slug} cartHref={`/${lang}/cart`} texts={texts}>
          <Suspense fallback={<AddButton texts={texts} isSoldOut={false} />}>
            <StockedButton {...{ product, texts }} />
          </Suspense>
        </AddToCart>
      </div>
    </article>
  )
}

type StockProps = { readonly product: Product; readonly texts: Dictionary['product'] }

// Only the stock and the button need the request. Both parts change while the page is open.
async function StockLine({ product, texts }: StockProps): Promise<ReactNode> {
  return <p className="stock">{stockText(await readStock(product.slug), texts)}</p>
}

async function StockedButton({ product, texts }: StockProps): Promise<ReactNode> {
  return <AddButton texts={texts} isSoldOut={(await readStock(product.slug)) === 0} />
}
