import { type Metadata, notFound, type PageProps } from 'waymark'
import { findProduct } from '../../../../../catalogue.ts'
import { dictionaryOf } from '../../../../../dictionaries/dictionary.ts'
import { readLanguage } from '../../../../../languages.ts'
import { ProductDetails } from '../../productDetails.tsx'
import { Dialog } from './dialog.tsx'

type Props = PageProps<'/[lang]/products/[slug]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const lang = await readLanguage(params)
  return { title: findProduct((await params).slug)?.name[lang] ?? null }
}

/** Shows a product in a dialog over the list. After a reload, the product has a page of its own. */
export default async function ProductDialog({ params }: Props) {
  const lang = await readLanguage(params)
  const product = findProduct((await params).slug)
  if (!product) notFound()
  return (
    <Dialog label={product.name[lang]} close={dictionaryOf(lang).product.close}>
      <ProductDetails product={product} lang={lang} heading="h2" />
    </Dialog>
  )
}
