import { leavePage, type NavigationContext, type ShownPage, type ShowOptions } from './course.ts'
import type { Shell } from './pageSource.ts'
import { scrollToStart } from './scroll.ts'
import { shellPage } from './shell.ts'

const yes = () => true
const no = () => false

type Entering = {
  readonly course: NavigationContext
  readonly shell: Shell
  /** Aborts when the page itself is there. */
  readonly signal: AbortSignal
}

/** Shows a page's shell, while the page is on its way: a link that leads there is followed. */
export async function commitShell(
  tab: ShownPage,
  options: ShowOptions,
  entering: Entering,
): Promise<void> {
  const { course, signal } = entering
  const { payload, assets } = entering.shell
  const { request } = course
  if (request.kind !== 'push') return
  // The page itself tells what is wrong with them, and finds its way out.
  const areThere = await assets.then(yes, no)
  if (!areThere || signal.aborted) return
  const shell = shellPage(payload, tab.shown, { key: '', fetchedAtMs: options.now() })
  if (!shell) return
  leavePage(tab, options, course)
  const isShown = await options.show(shell, signal).then(yes, no)
  if (!isShown || signal.aborted) return
  const left = tab.shown
  tab.shown = { ...shell, key: options.history.write('push', request.url) }
  options.source.keep(tab.shown, left, 'push')
  const { hash } = request.url
  course.request = {
    ...request,
    kind: 'replace',
    isEntered: true,
    scroll: request.scroll && hash !== '',
  }
  if (request.scroll) scrollToStart(window, '')
}
