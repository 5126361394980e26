import { basePath } from 'waymark'
import { createNoticeBoard, documentLocale, type OfflineClient, workerPath } from 'waymark/internal'
import { restoreForms } from '../forms/restoreForms.ts'
import { savedTiming, type ToPage, type ToWorker } from '../shared/messages.ts'

type Router = Parameters<OfflineClient['attach']>[0]

const { serviceWorker } = navigator
let worker: ServiceWorker | null = null

export async function start(): Promise<void> {
  // Pages over plain HTTP have none.
  if (!serviceWorker) return
  await serviceWorker.register(basePath + workerPath, {
    scope: `${basePath}/`,
    updateViaCache: 'none',
  })
  worker = (await serviceWorker.ready).active
  keepPage()
  showAge(documentSavedAtMs())
}

export function attach(router: Router): void {
  restoreForms(router)
  serviceWorker?.addEventListener('message', ({ data }) => {
    const message = data as ToPage
    if (message.type === 'served') showAge(message.savedAtMs)
  })
  router.events.on('commit', keepPage)
}

/** Asks the worker to keep the page on the screen. */
function keepPage(): void {
  const { pathname, search } = location
  const path = pathname.slice(basePath.length)
  const data = `${basePath}/_waymark/data${path === '/' ? '' : path}.rsc${search}`
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const message: ToWorker = {
    type: 'keep',
    page: { document: pathname + search, data },
    files: files
      .filter(({ origin, pathname }) => origin === location.origin && /\.\w+$/.test(pathname))
      .map(({ pathname }) => pathname)
      .filter((path) => !path.includes('/_waymark/data') && !path.endsWith(workerPath)),
    privateForSeconds: null,
  }
  worker?.postMessage(message)
}

function documentSavedAtMs(): number | null {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const timing = entry?.serverTiming?.find(({ name }) => name === savedTiming)
  return timing ? Number(timing.description) : null
}

const board = createNoticeBoard(document, documentLocale())

function showAge(savedAtMs: number | null): void {
  if (savedAtMs === null) {
    board.hide()
    return
  }
  const time = new Date(savedAtMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  board.show({ text: `As of ${time}. No connection.`, actions: [], onEscape: board.hide })
}
