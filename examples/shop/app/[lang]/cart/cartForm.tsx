'use client'

import { type ReactNode, useActionState } from 'react'
import { useFormStatus } from 'react-dom'
import { type InvalidInput, Link } from 'waymark'
import { maxQuantity } from '../../../database/database.ts'
import type { Dictionary } from '../../../dictionaries/en.ts'
import { fill, formatPrice, stockText } from '../../../dictionaries/format.ts'
import type { Language } from '../../../languages.ts'
import { changeCart } from './actions.ts'

type Item = {
  readonly slug: string
  readonly name: string
  readonly priceCents: number
  readonly quantity: number
  readonly left: number
  readonly picture: ReactNode
}
type Props = {
  readonly items: readonly Item[]
  readonly lang: Language
  readonly texts: Dictionary['product'] & Dictionary['cart']
}

/** Form with the cart. Each button submits one change, also without JavaScript. */
export function CartForm(props: Props) {
  const [state, send] = useActionState<InvalidInput | null, FormData>(changeCart, null)
  return (
    <form action={send} offline="queue" name="cart" className="cart">
      <CartLines {...props} />
      {state?.isInvalid && <p role="alert">{props.texts.failed}</p>}
    </form>
  )
}

function CartLines({ items, lang, texts }: Props) {
  // Show the expected result while the form is being sent.
  const change = String(useFormStatus().data?.get('change') ?? '')
  const optimisticItems = items
    .map((item) => {
      const [slug, quantity] = change.split(':')
      return slug === item.slug ? { ...item, quantity: Number(quantity) } : item
    })
    .filter(({ quantity }) => quantity > 0)
  const totalCents = optimisticItems.reduce((sum, item) => sum + item.quantity * item.priceCents, 0)
  return (
    <>
      <ul>
        {optimisticItems.map((item) => (
          <CartLine key={item.slug} item={item} lang={lang} texts={texts} />
        ))}
      </ul>
      <p className="total">
        {texts.total} <output>{formatPrice(totalCents, lang)}</output>
      </p>
      <p>
        <Link className="button" href={`/${lang}/order`}>
          {texts.order}
        </Link>
      </p>
    </>
  )
}

function CartLine({ item, lang, texts }: { item: Item; lang: Language; texts: Props['texts'] }) {
  const { slug, name, quantity, left } = item
  const change = (next: number, label: string, sign: string) => (
    <button
      type="submit"
      name="change"
      value={`${slug}:${next}`}
      aria-label={fill(label, { name })}
      disabled={next > quantity && next > Math.min(maxQuantity, left)}
    >
      {sign}
    </button>
  )
  return (
    <li>
      {item.picture}
      <span>
        <b>{name}</b>
        {quantity > left && <small className="error">{stockText(left, texts)}</small>}
      </span>
      <span className="stepper">
        {change(quantity - 1, texts.less, '−')}
        <output>{quantity}</output>
        {change(quantity + 1, texts.more, '+')}
      </span>
      <span className="price">{formatPrice(quantity * item.priceCents, lang)}</span>
      {change(0, texts.remove, '×')}
    </li>
  )
}
