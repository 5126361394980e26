import { type ReactNode, Suspense } from 'react'
import type { Product } from '../../../catalogue.ts'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { formatPrice, stockText } from '../../../dictionaries/format.ts'
import type { Language } from '../../../languages.ts'
import { readStock } from '../../../stock.ts'
import { Vessel } from '../../../ui/vessel.tsx'
import { AddToCart } from '../cart/addToCart.tsx'

type Props = { readonly product: Product; readonly lang: Language; readonly heading: 'h1' | 'h2' }

/** A product with all that is said about it: on its page, and in the dialog. */
export function ProductDetails({ product, lang, heading: Heading }: Props): ReactNode {
  const { product: texts, glazes } = dictionaryOf(lang)
  const purchase = { slug: product.slug, lang }
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
        <Suspense fallback={<Purchase {...purchase} left={null} />}>
          <StockedPurchase {...purchase} />
        </Suspense>
      </div>
    </article>
  )
}

type PurchaseProps = { readonly slug: string; readonly lang: Language }

// Only this part needs the request: it changes while the page is open.
async function StockedPurchase(props: PurchaseProps): Promise<ReactNode> {
  return <Purchase {...props} left={await readStock(props.slug)} />
}

function Purchase({ slug, lang, left }: PurchaseProps & { left: number | null }): ReactNode {
  const { product: texts } = dictionaryOf(lang)
  return (
    <>
      <p className="stock">{left !== null && stockText(left, texts)}</p>
      <AddToCart slug={slug} cartHref={`/${lang}/cart`} texts={texts} isSoldOut={left === 0} />
    </>
  )
}
