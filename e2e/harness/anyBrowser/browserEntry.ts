import { offlineCases } from './offlineCases.ts'
import { pageCases } from './pageCases.ts'

// Runs in the browser: the case of the address, whose outcome is sent to the server of this page.
const searchParams = new URL(location.href).searchParams
const cases: Readonly<Record<string, () => Promise<void>>> = {
  ...pageCases,
  ...offlineCases,
}
const run = cases[searchParams.get('case') ?? '']

run?.()
  .then(
    () => '',
    (thrown: unknown) => String(thrown),
  )
  .then((failure) => fetch('/~outcome', { method: 'POST', body: failure }))
