import type { QueueableActions } from 'waymark/plugin/client'

/**
 * Sends calls. If the server refuses one, stores the typed text. The code for storing loads later.
 */
export function sendWithDrafts(actions: QueueableActions): QueueableActions['send'] {
  let { send } = actions
  // Calls don't wait for this code. Without it, typed text is lost when the session ends.
  import('./withFormDrafts.ts').then(
    ({ withFormDrafts }) => {
      send = withFormDrafts(actions)
    },
    () => {},
  )
  return (...call) => send(...call)
}
