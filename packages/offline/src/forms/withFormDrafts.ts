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
 * Wraps what sends a call: where the server has refused it, and shows a screen or another page in
 * place of the form, what was typed is stored for when the form is shown again.
 */
export function withFormDrafts({
  send,
  changed,
}: Pick<QueueableActions, 'send' | 'changed'>): Send {
  return (call, options = {}) => {
    const { pathname } = location
    // The response may end the session.
    const typedBy = formDrafts.user()
    const note = (response: SentResponse) => {
      // A page that was left is not replaced; a queued call has its own storage.
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
      // Of proxy.ts or a guard; that of an action is pushed.
      return response.type === 'replace'
    case 'refused':
      // The build that is back may not have the page.
      return response.code === 'unknown' || response.code === 'stale'
    default:
      return false
  }
}

function isDone({ kind }: SentResponse): boolean {
  return kind === 'returned' || kind === 'redirect'
}

/** Whether what is stored for a page is that of a form; the screen in its place may have another. */
function isDraftOf(pathname: string, form: HTMLFormElement): boolean {
  const keys = new Set(formDrafts.find(pathname)?.fields.map(([key]) => key))
  return [...fieldsByKey(document)].some(([key, field]) => field.form === form && keys.has(key))
}
