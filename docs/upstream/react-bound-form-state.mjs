// npm install --legacy-peer-deps react@19.3.1 react-dom@19.3.1 react-server-dom-webpack@19.3.1 && node react-bound-form-state.mjs
import { createElement, useActionState } from 'react'
import { renderToPipeableStream } from 'react-dom/server'

globalThis.__webpack_require__ = {}
const { createServerReference } = await import('react-server-dom-webpack/client.node')
const save = createServerReference('file#save')

let renders = 0
function Form() {
  if (++renders === 2_000) {
    console.log(
      `Form was rendered ${renders} times in ${Math.round(performance.now() - startedAt)} ms, no timer has fired: ${!timerHasFired}`,
    )
    process.exit(1)
  }
  const [state, submit] = useActionState(save.bind(null, 'an id'), null)
  return createElement('form', { action: submit }, String(state))
}

let timerHasFired = false
setTimeout(() => {
  timerHasFired = true
})
// The result of `decodeFormState` for a POST of this form: value, key, action, number of bound arguments.
const formState = ['the state', 'key', 'file#save', 1]
const startedAt = performance.now()
const { pipe } = renderToPipeableStream(createElement(Form), {
  formState,
  onAllReady: () => pipe(process.stdout),
})
