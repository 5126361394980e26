'use client'

import { useActionState } from 'react'
import type { InvalidInput } from 'waymark'
import type { Dictionary } from '../../../dictionaries/en.ts'
import { TextField } from '../../../ui/fields.tsx'
import { join, signIn } from './actions.ts'

type Result = { problem: 'credentials' | 'taken'; email: string } | InvalidInput | null
type Props = {
  readonly kind: 'signIn' | 'join'
  /** Page to open after signing in. */
  readonly next: string
  readonly texts: Dictionary['account']
  readonly errors: Readonly<Record<string, string>>
}

/** Form with e-mail and password, for signing in or creating an account. */
export function AccountForm({ kind, next, texts, errors }: Props) {
  const isNew = kind === 'join'
  const [result, send, isPending] = useActionState<Result, FormData>(isNew ? join : signIn, null)
  const invalid = result && 'isInvalid' in result ? result : null
  const problem = result && 'problem' in result ? result : null
  const errorOf = (name: string) => errors[invalid?.fieldErrors[name]?.[0] ?? '']
  return (
    <form action={send} noValidate>
      <input type="hidden" name="next" value={next} />
      {problem && (
        <p role="alert" className="error">
          {errors[problem.problem]}
        </p>
      )}
      <TextField
        name="email"
        type="email"
        autoComplete="email"
        required
        label={texts.email}
        defaultValue={problem?.email ?? String(invalid?.values.email ?? '')}
        error={errorOf('email')}
      />
      <TextField
        name="password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        label={texts.password}
        hint={isNew ? texts.passwordHint : undefined}
        error={errorOf('password')}
      />
      <button type="submit" className="button" disabled={isPending}>
        {isNew ? texts.join : texts.signIn}
      </button>
    </form>
  )
}
