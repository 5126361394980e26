import {
  fieldsByKey,
  type QueueableActions,
  type ReceivedResponse,
  storableFields,
} from 'waymark/plugin/client'
import { allowUserChange } from '../shared/owner.ts'
import { formDrafts, valuesOf } from './draftStore.ts'

type Send = QueueableActions['send']
type SentResponse = ReceivedResponse['response']

/**
 * Wraps the function that sends a call. If the server refuses the call, and a screen or a different
 * page replaces the form, stores the typed text until the form is shown again.
 */
export function withFormDrafts({
  send,
  changed,
}: Pick<QueueableActions, 'send' | 'changed'>): Send {
  return (call, options = {}) => {
    const { pathname } = location
    // The response may end the session, so read the user first.
    const typedBy = formDrafts.user()
    const note = (response: SentResponse) => {
      // The response doesn't replace a page that the user has left, and the outbox stores queued
      // calls.
      if (pathname !== location.pathname || options.isQueued) return
      if (isRefused(response)) {
        const fields = valuesOf(storableFields(document, changed()))
        formDrafts.save({ pathname, fields }, typedBy)
      } else if (call.submit && isDone(response) && isDraftOf(pathname, call.submit.form)) {
        formDrafts.forget(pathname)
      }
    }
    return send(call, {
      ...options,
      onResponse(received) {
        note(received.response)
        if (received.changed === 'session' && received.response.kind !== 'refused')
          allowUserChange()
        return options.onResponse?.(received) ?? true
      },
    })
  }
}

/** True if something replaces the form before its action has completed. */
function isRefused(response: SentResponse): boolean {
  switch (response.kind) {
    case 'signal':
      return true
    case 'redirect':
      // A redirect from proxy.ts or a guard replaces the page, while an action's redirect is
      // pushed.
      return response.type === 'replace'
    case 'refused':
      // After a rollback, the running build may not have this page. The page is then replaced.
      return response.code === 'unknown' || response.code === 'stale'
    default:
      return false
  }
}

function isDone({ kind }: SentResponse): boolean {
  return kind === 'returned' || kind === 'redirect'
}

/**
 * True if the page's draft belongs to the form. A screen that replaced the page may contain a
 * different one.
 */
function isDraftOf(pathname: string, form: HTMLFormElement): boolean {
  const keys = new Set(formDrafts.find(pathname)?.fields.map(([key]) => key))
  return [...fieldsByKey(document)].some(([key, field]) => field.form === form && keys.has(key))
}
