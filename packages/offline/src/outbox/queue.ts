import type { ClientHooks } from 'waymark/plugin'
import type { QueueableActions } from 'waymark/plugin/client'
import { currentMaker, sealedUser as userOfDocument } from '../shared/owner.ts'
import type { Outbox } from './createOutbox.ts'
import type { OutboxHost } from './host.ts'
import { inTime } from './inTime.ts'
import { limitMs } from './limits.ts'
import { acceptMarks, withoutMark } from './queued.ts'

const host: OutboxHost = { router: null, actions: null, startRouter() {} }
let loading: Promise<Outbox> | null = null

// Where this module is, `queued()` has somebody who takes its marks off again.
acceptMarks()

export const onIdle: ClientHooks['onIdle'] = (startRouter) => {
  host.startRouter = startRouter
  wake()
}

export const onRouter: ClientHooks['onRouter'] = (router) => {
  host.router = router
}

/** Decides which calls wait until they can be sent. The code that stores them is loaded at idle. */
export const queueCalls: ClientHooks['queueCalls'] = (actions) => {
  host.actions = actions
  wake()
  return (sent) => {
    const { call, options } = withoutMark(sent)
    const isForm = call.submit?.form.getAttribute('offline') === 'queue'
    if (options || isForm) return keep(actions, call, options ?? {})
    return actions.send(call, { user: currentMaker().sealed })
  }
}

export const sealedUser: ClientHooks['sealedUser'] = userOfDocument

export const onOtherUser: ClientHooks['onOtherUser'] = () => {
  load().then(
    (outbox) => outbox.showOtherUser(),
    () => {},
  )
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
