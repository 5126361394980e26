import { Offline, Outbox } from '@waymark/offline'
import { Link, type Metadata, type PageProps } from 'waymark'
import { findProduct, type Product } from '../../../catalogue.ts'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { type Language, readLanguage } from '../../../languages.ts'
import { readCart } from '../../../session.ts'
import { readStock } from '../../../stock.ts'
import { Vessel } from '../../../ui/vessel.tsx'
import { CartForm } from './cartForm.tsx'

type Props = PageProps<'/[lang]/cart'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).cart.title }
}

export default async function Cart({ params }: Props) {
  const lang = await readLanguage(params)
  const { cart, list, product: texts } = dictionaryOf(lang)
  const items = await Promise.all(
    (await readCart()).flatMap(({ slug, quantity }) => {
      const product = findProduct(slug)
      return product ? [itemOf(product, quantity, lang)] : []
    }),
  )
  return (
    <div className="narrow">
      <Offline privateFor={86_400} />
      <h1>{cart.title}</h1>
      {items.length > 0 ? (
        <CartForm items={items} lang={lang} texts={{ ...texts, ...cart }} />
      ) : (
        <p className="empty">
          {cart.empty} <Link href={`/${lang}/products`}>{list.reset}</Link>
        </p>
      )}
      <Outbox texts={cart.outbox} />
    </div>
  )
}

async function itemOf(product: Product, quantity: number, lang: Language) {
  const { slug, priceCents, name } = product
  const picture = <Vessel product={product} />
  return { slug, quantity, priceCents, name: name[lang], picture, left: await readStock(slug) }
}
