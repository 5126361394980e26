import type { ReactNode } from 'react'
import type { Product } from '../../../catalogue.ts'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { formatPrice } from '../../../dictionaries/format.ts'
import type { Language } from '../../../languages.ts'
import { Vessel } from '../../../ui/vessel.tsx'
import { AddToCart } from '../cart/addToCart.tsx'

type Props = { readonly product: Product; readonly lang: Language; readonly heading: 'h1' | 'h2' }

/** A product with all that is said about it: on its page, and in the dialog. */
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
        <AddToCart slug={product.slug} cartHref={`/${lang}/cart`} texts={texts} />
      </div>
    </article>
  )
}
