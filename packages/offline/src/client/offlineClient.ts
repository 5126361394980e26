import type { OfflineClient } from 'waymark/internal'
import { hasFormDraft } from '../forms/hasFormDraft.ts'
import { sendWithDrafts } from '../forms/sendWithDrafts.ts'
import { offline as outbox } from '../outbox/queue.ts'

// Without the code, or where the browser forbids a worker, the app is as if there were none.
const quietly = () => {}
const later = (run: (main: typeof import('./main.ts')) => unknown) =>
  void import('./main.ts').then(run).catch(quietly)

/** What the core calls in browsers; the rest is loaded when the document is idle. */
export const offline: OfflineClient = {
  start(startRouter) {
    outbox.start(startRouter)
    // A page that needs no code has no router until then.
    if (hasFormDraft()) startRouter()
    later(({ start }) => start())
  },
  attach(router) {
    outbox.attach(router)
    later(({ attach }) => attach(router))
  },
  sealedUser: outbox.sealedUser,
  showOtherUser: outbox.showOtherUser,
  queue(actions) {
    const run = outbox.queue({ ...actions, send: sendWithDrafts(actions) })
    // A call may have signed somebody in or out.
    return (call) => run(call).finally(() => later(({ lookForUser }) => lookForUser()))
  },
}
