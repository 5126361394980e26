import { Link, type Metadata, type PageProps } from 'waymark'
import { findProduct, totalOf } from '../../../../catalogue.ts'
import { dictionaryOf } from '../../../../dictionaries/dictionary.ts'
import { fill, formatPrice } from '../../../../dictionaries/format.ts'
import { readLanguage } from '../../../../languages.ts'
import { readCart } from '../../../../session.ts'
import { readShortages } from '../../../../stock.ts'
import { OrderForm } from './orderForm.tsx'

type Props = PageProps<'/[lang]/order'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).order.title }
}

export default async function OrderPage({ params }: Props) {
  const lang = await readLanguage(params)
  const lines = await readCart()
  const short = await readShortages(lines)
  const { order, errors, list } = dictionaryOf(lang)
  const names = short.map((slug) => findProduct(slug)?.name[lang]).join(', ')
  return (
    <div className="narrow">
      <h1>{order.title}</h1>
      {lines.length > 0 ? (
        <>
          <h2>{order.where}</h2>
          <OrderForm
            lang={lang}
            texts={order}
            errors={errors}
            shortage={names && fill(order.short, { names })}
            send={fill(order.send, { total: formatPrice(totalOf(lines), lang) })}
          />
        </>
      ) : (
        <p className="empty">
          {errors.emptyCart} <Link href={`/${lang}/products`}>{list.reset}</Link>
        </p>
      )}
    </div>
  )
}
