'use client'

import { useActionState } from 'react'
import { type InvalidInput, Link } from 'waymark'
import type { Dictionary } from '../../../dictionaries/en.ts'
import { addToCart } from './actions.ts'

type Props = {
  readonly slug: string
  readonly cartHref: string
  readonly texts: Dictionary['product']
  readonly isSoldOut: boolean
}

/** The button under a product; it says what the cart then holds. */
export function AddToCart({ slug, cartHref, texts, isSoldOut }: Props) {
  const [state, send, isPending] = useActionState<
    { count: number } | InvalidInput | null,
    FormData
  >(addToCart, null)
  return (
    <form action={send} offline="queue" name="add" className="add">
      <input type="hidden" name="slug" value={slug} />
      <button type="submit" className="button" disabled={isSoldOut}>
        {isPending ? texts.adding : texts.add}
      </button>
      <p role="status">
        {state && 'count' in state && (
          <>
            {texts.added.replace('{count}', String(state.count))}{' '}
            <Link href={cartHref}>{texts.toCart}</Link>
          </>
        )}
        {state && 'isInvalid' in state && texts.invalid}
      </p>
    </form>
  )
}
