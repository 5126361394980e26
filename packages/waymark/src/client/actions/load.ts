import type { ActionsOptions } from './callAction.ts'
import type { ServerCall } from './calls.ts'

/**
 * Loads the code of actions with the first call, or when the user begins to fill in a form: most
 * pages call nothing.
 * @returns gives a call's result
 */
export function loadActions(options: ActionsOptions): (call: ServerCall) => Promise<unknown> {
  let actions: Promise<(call: ServerCall) => Promise<unknown>> | null = null
  const onFocus = ({ target }: FocusEvent) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (!form || form.hasAttribute('data-waymark-form')) return
    removeEventListener('focusin', onFocus)
    // Should it fail, the call itself reports it.
    import('./actionsChunk.ts').catch(() => {})
  }
  addEventListener('focusin', onFocus)
  return async (call) => {
    actions ??= untilLoaded(options)
    return (await actions)(call)
  }
}

async function untilLoaded(options: ActionsOptions) {
  const { board, texts } = options
  const { failed, retry } = texts.notices
  for (;;) {
    const code = await import('./actionsChunk.ts').catch(() => null)
    if (code) return code.createActions(options)
    await new Promise<void>((resolve) => {
      board.show({
        text: failed,
        actions: [{ label: retry, run: resolve }],
        onEscape: resolve,
      })
    })
    board.hide()
  }
}
