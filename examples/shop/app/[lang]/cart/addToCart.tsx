'use client'

import { type ReactNode, useActionState } from 'react'
import { useFormStatus } from 'react-dom'
import { type InvalidInput, Link } from 'waymark'
import type { Dictionary } from '../../../dictionaries/en.ts'
import { addToCart } from './actions.ts'

type Texts = { readonly texts: Dictionary['product'] }
type Props = Texts & {
  readonly slug: string
  readonly cartHref: string
  /** The submit button. */
  readonly children: ReactNode
}

/** Form that adds a product to the cart and shows the new quantity. */
export function AddToCart({ slug, cartHref, texts, children }: Props) {
  const [state, send] = useActionState<{ count: number } | InvalidInput | null, FormData>(
    addToCart,
    null,
  )
  return (
    <form action={send} offline="queue" name="add" className="add">
      <input type="hidden" name="slug" value={slug} />
      {children}
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

export function AddButton({ texts, isSoldOut }: Texts & { readonly isSoldOut: boolean }) {
  const { pending } = useFormStatus()
  return (
    <button type="submit" className="button" disabled={isSoldOut}>
      {pending ? texts.adding : texts.add}
    </button>
  )
}
