import { offlineCases } from './offlineCases.ts'
import { pageCases } from './pageCases.ts'

// Runs the case that the URL specifies, and reports its outcome to the server of this page. This
// code runs in the browser.
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
