import { Link, type Metadata, type PageProps } from 'waymark'
import { findProduct } from '../../../catalogue.ts'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { readLanguage } from '../../../languages.ts'
import { readCart } from '../../../session.ts'
import { Vessel } from '../../../ui/vessel.tsx'
import { CartForm } from './cartForm.tsx'

type Props = PageProps<'/[lang]/cart'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).cart.title }
}

export default async function Cart({ params }: Props) {
  const lang = await readLanguage(params)
  const { cart, list } = dictionaryOf(lang)
  const items = (await readCart()).flatMap(({ slug, quantity }) => {
    const product = findProduct(slug)
    if (!product) return []
    const { priceCents, name } = product
    return [{ slug, quantity, priceCents, name: name[lang], picture: <Vessel product={product} /> }]
  })
  return (
    <div className="narrow">
      <h1>{cart.title}</h1>
      {items.length > 0 ? (
        <CartForm items={items} lang={lang} texts={cart} />
      ) : (
        <p className="empty">
          {cart.empty} <Link href={`/${lang}/products`}>{list.reset}</Link>
        </p>
      )}
    </div>
  )
}
