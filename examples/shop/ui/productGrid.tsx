import type { ReactNode } from 'react'
import { Link } from 'waymark'
import type { Product } from '../catalogue.ts'
import { formatPrice } from '../dictionaries/format.ts'
import type { Language } from '../languages.ts'
import { Vessel } from './vessel.tsx'

type Props = { readonly products: readonly Product[]; readonly lang: Language }

/** List of products with links and drawings. */
export function ProductGrid({ products, lang }: Props): ReactNode {
  return (
    <ul className="grid">
      {products.map((product) => (
        <li key={product.slug}>
          <Link href={`/${lang}/products/${product.slug}`} scroll={false}>
            <span className={`stage ${product.glaze}`}>
              <Vessel product={product} />
            </span>
            <span className="caption">
              <b>{product.name[lang]}</b>
              <span>{formatPrice(product.priceCents, lang)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
