import { Link, type Metadata, notFound, type PageProps } from 'waymark'
import { findProduct, products } from '../../../../catalogue.ts'
import { dictionaryOf } from '../../../../dictionaries/dictionary.ts'
import { readLanguage } from '../../../../languages.ts'
import { ProductDetails } from '../productDetails.tsx'

type Props = PageProps<'/[lang]/products/[slug]'>

/** Render this page in the build, except for the cart and the stock. */
export const dynamic = 'partial'
/** Respond to all other slugs with a 404, without running this page. */
export const dynamicParams = false

export function generateStaticParams() {
  return products.map(({ slug }) => ({ slug }))
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const lang = await readLanguage(params)
  const product = findProduct((await params).slug)
  return product ? { title: product.name[lang], description: product.text[lang] } : {}
}

export default async function ProductPage({ params }: Props) {
  const lang = await readLanguage(params)
  const product = findProduct((await params).slug)
  if (!product) notFound()
  return (
    <>
      <p className="crumbs">
        <Link href={`/${lang}/products`}>← {dictionaryOf(lang).nav.products}</Link>
      </p>
      <ProductDetails product={product} lang={lang} heading="h1" />
    </>
  )
}
