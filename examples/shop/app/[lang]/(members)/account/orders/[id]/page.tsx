import { forbidden, type Metadata, notFound, type PageProps } from 'waymark'
import { findProduct } from '../../../../../../catalogue.ts'
import { database } from '../../../../../../database/open.ts'
import { dictionaryOf } from '../../../../../../dictionaries/dictionary.ts'
import { fill, formatPrice } from '../../../../../../dictionaries/format.ts'
import { readLanguage } from '../../../../../../languages.ts'
import { readUser } from '../../../../../../session.ts'
import { ForgetDraft } from '../../../../../../ui/draft.tsx'

type Props = PageProps<'/[lang]/account/orders/[id]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).order.title }
}

export default async function OrderPage({ params }: Props) {
  const lang = await readLanguage(params)
  const order = (await database().findOrder((await params).id)) ?? notFound()
  const user = await readUser()
  if (order.userId !== user?.id) forbidden()
  const { order: texts, cart } = dictionaryOf(lang)
  const { name, street, postcode, city, note } = order.address
  return (
    <div className="narrow">
      <ForgetDraft name="order" />
      <h1>{fill(texts.number, { id: order.id.slice(0, 8) })}</h1>
      <p className="lead">{texts.thanks}</p>
      <ul className="orders">
        {order.lines.map(({ slug, quantity }) => (
          <li key={slug}>
            {quantity} × {findProduct(slug)?.name[lang] ?? slug}
          </li>
        ))}
        <li>
          <b>{cart.total}</b>
          <b className="price">{formatPrice(order.totalCents, lang)}</b>
        </li>
      </ul>
      <address>
        {name}
        <br />
        {street}
        <br />
        {postcode} {city}
      </address>
      {note && <blockquote>{note}</blockquote>}
    </div>
  )
}
