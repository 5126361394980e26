import type { NoticeTexts } from '../../screens/screenTexts.ts'
import type { ActionRouterOptions } from './actionRouter.ts'
import type { ActionsOptions } from './callAction.ts'
import type { ServerCall } from './calls.ts'

/** What the actions of a document need from its router. */
export type ActionsHost = Omit<ActionsOptions, 'router'> & {
  readonly pages: ActionRouterOptions
  /** Shown where not even the code of actions can be loaded. */
  readonly notices: NoticeTexts
}

/**
 * Loads the code of actions with the first call, or when the user begins to fill in a form: most
 * pages call nothing.
 * @returns gives a call's result
 */
export function loadActions(host: ActionsHost): (call: ServerCall) => Promise<unknown> {
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
    actions ??= untilLoaded(host).then(({ createActions, createActionRouter }) =>
      createActions({ ...host, router: createActionRouter(host.pages) }),
    )
    return (await actions)(call)
  }
}

async function untilLoaded({
  board,
  notices,
}: ActionsHost): Promise<typeof import('./actionsChunk.ts')> {
  for (;;) {
    try {
      return await import('./actionsChunk.ts')
    } catch {
      await new Promise<void>((resolve) => {
        board.show({ text: notices.failed, actions: [{ label: notices.retry, run: resolve }] })
      })
      board.hide()
    }
  }
}
