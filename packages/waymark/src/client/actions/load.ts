import { mayHaveActions } from 'virtual:waymark/navigation'
import { pageFormAttribute } from '../../shared/linkAttributes.ts'
import { createRetries, retry, retryPolicies } from '../retry/retry.ts'
import type { ActionsOptions } from './callAction.ts'
import type { ServerCall } from './calls.ts'

/**
 * Loads the code of actions at idle, since the assets of the page's build may be gone by the first
 * call; sooner when the user begins to fill in a form, or by a call.
 */
export function loadActions(options: ActionsOptions): (call: ServerCall) => Promise<unknown> {
  let actions: Promise<(call: ServerCall) => Promise<unknown>> | null = null
  const preload = () => void import('./actionsChunk.ts').catch(() => {})
  const onFocus = ({ target }: FocusEvent) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (!form || form.hasAttribute(pageFormAttribute)) return
    removeEventListener('focusin', onFocus)
    preload()
  }
  if (mayHaveActions) {
    addEventListener('focusin', onFocus)
    const whenIdle = window.requestIdleCallback ?? setTimeout
    whenIdle(preload)
  }
  return async (call) => {
    actions ??= untilLoaded(options)
    return (await actions)(call)
  }
}

/** Loads the code of actions; where it does not come, the user decides when to try again. */
async function untilLoaded(options: ActionsOptions) {
  const { board, texts } = options
  const { failed, retry: label } = texts.notices
  const code = await retry(() => import('./actionsChunk.ts'), {
    retries: createRetries(retryPolicies.actionsCode),
    onExhausted: () =>
      new Promise((resolve) => {
        const run = () => {
          board.hide()
          resolve(true)
        }
        board.show({ text: failed, actions: [{ label, run }], onEscape: run })
      }),
  })
  return code.createActions(options)
}
