import type { OfflineClient, QueueableActions } from 'waymark/internal'
import { currentMaker, sealedUser } from '../shared/owner.ts'
import type { Outbox } from './createOutbox.ts'
import type { OutboxHost } from './host.ts'
import { inTime } from './inTime.ts'
import { limitMs } from './limits.ts'
import { acceptMarks, withoutMark } from './queued.ts'

const host: OutboxHost = { router: null, actions: null, startRouter() {} }
let loading: Promise<Outbox> | null = null

// Where this module is, `queued()` has somebody who takes its marks off again.
acceptMarks()

/** The outbox for the core: it decides which calls wait; the code that keeps them comes at idle. */
export const offline: OfflineClient = {
  start(startRouter) {
    host.startRouter = startRouter
    wake()
  },
  attach(router) {
    host.router = router
  },
  sealedUser,
  showOtherUser() {
    load().then(
      (outbox) => outbox.showOtherUser(),
      () => {},
    )
  },
  queue(actions) {
    host.actions = actions
    wake()
    return (sent) => {
      const { call, options } = withoutMark(sent)
      const isForm = call.submit?.form.getAttribute('offline') === 'queue'
      if (options || isForm) return keep(actions, call, options ?? {})
      return actions.send(call, { user: currentMaker().sealed })
    }
  },
}

type Run = Outbox['run']

function keep(actions: QueueableActions, ...call: Parameters<Run>): ReturnType<Run> {
  return inTime(load(), limitMs).then(
    (outbox) => outbox.run(...call),
    () => actions.send(call[0], { user: currentMaker().sealed }),
  )
}

/** Sends what waits. */
export function wake(): void {
  load().then(
    (outbox) => outbox.wake(),
    () => {},
  )
}

function load(): Promise<Outbox> {
  loading ??= import('./createOutbox.ts').then(
    ({ createOutbox }) => createOutbox(host),
    (error) => {
      loading = null
      throw error
    },
  )
  return loading
}
