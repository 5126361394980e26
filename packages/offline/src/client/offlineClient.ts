import type { ClientHooks } from 'waymark/plugin'
import { hasFormDraft } from '../forms/hasFormDraft.ts'
import { sendWithDrafts } from '../forms/sendWithDrafts.ts'
import * as outbox from '../outbox/queue.ts'

// Without the code, or where the browser forbids a worker, the app is as if there were none.
const quietly = () => {}
const later = (run: (main: typeof import('./main.ts')) => unknown) =>
  void import('./main.ts').then(run).catch(quietly)

export const onIdle: ClientHooks['onIdle'] = (startRouter, options) => {
  outbox.onIdle(startRouter, options)
  // A page that needs no code has no router until then.
  if (hasFormDraft()) startRouter()
  later(({ start }) => start())
}

export const onRouter: ClientHooks['onRouter'] = (router, options) => {
  outbox.onRouter(router, options)
  later(({ attach }) => attach(router))
}

export const queueCalls: ClientHooks['queueCalls'] = (actions, options) => {
  const run = outbox.queueCalls({ ...actions, send: sendWithDrafts(actions) }, options)
  // A call may have signed somebody in or out.
  return (call) => run(call).finally(() => later(({ lookForUser }) => lookForUser()))
}

export const sealedUser: ClientHooks['sealedUser'] = outbox.sealedUser

export const onOtherUser: ClientHooks['onOtherUser'] = outbox.onOtherUser
