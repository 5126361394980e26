import type { NoticeTexts } from '../../screens/screenTexts.ts'
import type { ActionRouterOptions } from './actionRouter.ts'
import type { ActionsOptions } from './callAction.ts'
import type { ServerCall } from './calls.ts'

/** What the actions of a document need of its router. */
export type ActionsHost = Omit<ActionsOptions, 'router'> & {
  readonly pages: ActionRouterOptions
  /** What is said where not even the code can be had that would say more. */
  readonly notices: NoticeTexts
}

/**
 * Makes what answers calls, and loads it with the first of them, or when somebody begins to fill
 * in a form: most pages call nothing.
 */
export function loadActions(host: ActionsHost): (call: ServerCall) => Promise<unknown> {
  let loading: Promise<(call: ServerCall) => Promise<unknown>> | null = null
  const load = () => {
    loading ??= untilLoaded(host).then(({ createActions, createActionRouter }) =>
      createActions({ ...host, router: createActionRouter(host.pages) }),
    )
    return loading
  }
  const onFocus = ({ target }: FocusEvent) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (!form || form.hasAttribute('data-waymark-form')) return
    removeEventListener('focusin', onFocus)
    // The call itself tells when it can't be loaded.
    import('./actionsChunk.ts').catch(() => {})
  }
  addEventListener('focusin', onFocus)
  return async (call) => (await load())(call)
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
