import type { ClientHooks } from 'waymark/plugin'
import type { QueueableActions } from 'waymark/plugin/client'
import { currentMaker } from '../shared/owner.ts'
import type { Outbox } from './createOutbox.ts'
import type { OutboxHost } from './host.ts'
import { inTime } from './inTime.ts'
import { limitMs } from './limits.ts'
import { withoutMark } from './queued.ts'

type OutboxCode = { readonly createOutbox: (host: OutboxHost) => Outbox }
type Run = Outbox['run']

export type CallQueue = Pick<ClientHooks, 'onIdle' | 'onRouter' | 'queueCalls' | 'onOtherUser'> & {
  /** Sends the waiting calls. */
  wake(): void
}

/**
 * Decides which calls wait in the outbox until they can be sent.
 * @param loadCode loads the outbox code, which stores calls
 */
export function createCallQueue(loadCode: () => Promise<OutboxCode>): CallQueue {
  const host: OutboxHost = { router: null, actions: null, startRouter() {} }
  let loading: Promise<Outbox> | null = null

  function load(): Promise<Outbox> {
    loading ??= loadCode().then(
      ({ createOutbox }) => createOutbox(host),
      (error) => {
        loading = null
        throw error
      },
    )
    return loading
  }

  function wake(): void {
    load().then(
      (outbox) => outbox.wake(),
      () => {},
    )
  }

  function enqueue(actions: QueueableActions, ...call: Parameters<Run>): ReturnType<Run> {
    return inTime(load(), limitMs).then(
      (outbox) => outbox.run(...call),
      () => actions.send(call[0], { user: currentMaker().sealed }),
    )
  }

  return {
    wake,
    onIdle(startRouter) {
      host.startRouter = startRouter
      wake()
    },
    onRouter(router) {
      host.router = router
    },
    queueCalls(actions) {
      host.actions = actions
      wake()
      return (sent) => {
        const { call, options } = withoutMark(sent)
        const isForm = call.submit?.form.getAttribute('offline') === 'queue'
        if (options || isForm) return enqueue(actions, call, options ?? {})
        return actions.send(call, { user: currentMaker().sealed })
      }
    },
    onOtherUser() {
      load().then(
        (outbox) => outbox.showOtherUser(),
        () => {},
      )
    },
  }
}
