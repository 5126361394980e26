import type { OfflineClient } from 'waymark/internal'
import { offline as outbox } from '../outbox/queue.ts'

const main = () => import('./main.ts')

/** What the core calls in browsers; the rest is loaded when the document is idle. */
export const offline: OfflineClient = {
  start(startRouter) {
    outbox.start(startRouter)
    main().then(
      ({ start }) => start(),
      () => {},
    )
  },
  attach(router) {
    outbox.attach(router)
    main().then(
      ({ attach }) => attach(router),
      () => {},
    )
  },
  queue: outbox.queue,
}
