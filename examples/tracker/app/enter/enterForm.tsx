'use client'

import { useActionState } from 'react'
import { enter } from './actions.ts'

export function EnterForm() {
  const [result, send, isPending] = useActionState(enter, null)
  return (
    <form action={send} className="stack">
      <label>
        Name
        <input name="name" autoComplete="username" required defaultValue={result?.name} />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      {result && <p role="alert">{result.problem}</p>}
      <p className="row">
        <button type="submit" name="way" value="enter" disabled={isPending}>
          Sign in
        </button>
        <button type="submit" name="way" value="join" className="quiet" disabled={isPending}>
          Create an account
        </button>
      </p>
    </form>
  )
}
