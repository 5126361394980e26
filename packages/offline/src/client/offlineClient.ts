import type { ClientHooks } from 'waymark/plugin'
import { hasFormDraft } from '../forms/hasFormDraft.ts'
import { sendWithDrafts } from '../forms/sendWithDrafts.ts'
import * as outbox from '../outbox/queue.ts'

// Ignore the error. If this code can't be loaded, or the browser forbids workers, the app works as
// without this package.
const quietly = () => {}
const later = (run: (main: typeof import('./main.ts')) => unknown) =>
  void import('./main.ts').then(run).catch(quietly)

export const onIdle: ClientHooks['onIdle'] = (startRouter, options) => {
  outbox.onIdle(startRouter, options)
  // A page without client code only starts its router on demand, so start it now to restore drafts.
  if (hasFormDraft()) startRouter()
  later(({ start }) => start())
}

export const onRouter: ClientHooks['onRouter'] = (router, options) => {
  outbox.onRouter(router, options)
  later(({ attach }) => attach(router))
}

export const queueCalls: ClientHooks['queueCalls'] = (actions, options) => {
  const run = outbox.queueCalls({ ...actions, send: sendWithDrafts(actions) }, options)
  // The call may have signed somebody in or out, so check the user again.
  return (call) => run(call).finally(() => later(({ lookForUser }) => lookForUser()))
}

export const sealedUser: ClientHooks['sealedUser'] = outbox.sealedUser

export const onOtherUser: ClientHooks['onOtherUser'] = outbox.onOtherUser
