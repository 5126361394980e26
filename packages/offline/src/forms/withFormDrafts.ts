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
 * Wraps the function that sends a call. If the server refuses the call and a screen or another page
 * replaces the form, the typed text is stored until the form is shown again.
 */
export function withFormDrafts({
  send,
  changed,
}: Pick<QueueableActions, 'send' | 'changed'>): Send {
  return (call, options = {}) => {
    const { pathname } = location
    // Read the user before the call is sent, because the response may end the session.
    const typedBy = formDrafts.user()
    const note = (response: SentResponse) => {
      // Skip pages that the user has left, because the response doesn't replace them. Also skip queued
      // calls, which the outbox stores.
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
      // A redirect from proxy.ts or a guard replaces the page. An action's redirect is pushed.
      return response.type === 'replace'
    case 'refused':
      // After a rollback, the running build may not have this page, so the page is replaced.
      return response.code === 'unknown' || response.code === 'stale'
    default:
      return false
  }
}

function isDone({ kind }: SentResponse): boolean {
  return kind === 'returned' || kind === 'redirect'
}

/** True if a page's draft belongs to the form. A screen that replaced the page may contain another form. */
function isDraftOf(pathname: string, form: HTMLFormElement): boolean {
  const keys = new Set(formDrafts.find(pathname)?.fields.map(([key]) => key))
  return [...fieldsByKey(document)].some(([key, field]) => field.form === form && keys.has(key))
}
