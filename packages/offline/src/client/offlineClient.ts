import type { OfflineClient } from 'waymark/internal'
import { hasFormDraft } from '../forms/hasFormDraft.ts'
import { queue } from '../outbox/queue.ts'

const main = () => import('./main.ts')

/** What the core calls in browsers; the rest is loaded when the document is idle. */
export const offline: OfflineClient = {
  start(startRouter) {
    // A page that needs no code has no router until then.
    if (hasFormDraft()) startRouter()
    void main().then(
      ({ start }) => start(),
      () => {},
    )
  },
  attach: (router) =>
    void main().then(
      ({ attach }) => attach(router),
      () => {},
    ),
  queue,
}
