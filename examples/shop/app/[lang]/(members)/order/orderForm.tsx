'use client'

import { useActionState } from 'react'
import type { InvalidInput } from 'waymark'
import type { Dictionary } from '../../../../dictionaries/en.ts'
import { useDraft } from '../../../../ui/draft.tsx'
import { TextField } from '../../../../ui/fields.tsx'
import { placeOrder } from './actions.ts'

type Props = {
  readonly lang: string
  /** Label of the button. */
  readonly send: string
  readonly texts: Dictionary['order']
  readonly errors: Readonly<Record<string, string>>
  /** Message that lists products with too little stock. Empty if there is enough. */
  readonly shortage: string
}

/** Form for the address. The typed text survives reloads, errors and visits to other pages. */
export function OrderForm({ lang, send, texts, errors, shortage }: Props) {
  const [result, order, isPending] = useActionState<
    { problem: 'emptyCart' | 'soldOut' } | InvalidInput | null,
    FormData
  >(placeOrder, null)
  const draft = useDraft('order')
  const invalid = result && 'isInvalid' in result ? result : null
  const problem = shortage || (result && 'problem' in result && errors[result.problem])
  const field = (name: 'name' | 'street' | 'postcode' | 'city' | 'note', autoComplete: string) => (
    <TextField
      name={name}
      label={name === 'note' ? `${texts.note} (${texts.optional})` : texts[name]}
      autoComplete={autoComplete}
      required={name !== 'note'}
      defaultValue={String(invalid?.values[name] ?? '')}
      error={errors[invalid?.fieldErrors[name]?.[0] ?? '']}
    />
  )
  return (
    <form ref={draft} action={order} noValidate>
      <input type="hidden" name="lang" value={lang} />
      {problem && (
        <p role="alert" className="error">
          {problem}
        </p>
      )}
      {field('name', 'name')}
      {field('street', 'street-address')}
      <div className="pair">
        {field('postcode', 'postal-code')}
        {field('city', 'address-level2')}
      </div>
      {field('note', 'off')}
      <p className="hint">{texts.draft}</p>
      <button type="submit" className="button" disabled={isPending}>
        {isPending ? texts.sending : send}
      </button>
    </form>
  )
}
