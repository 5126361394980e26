import type { QueueableActions } from 'waymark/plugin/client'

/** Sends calls, and stores what was typed where the server refuses one. The code for that comes later. */
export function sendWithDrafts(actions: QueueableActions): QueueableActions['send'] {
  let { send } = actions
  // A call does not wait for it: without it, what was typed is lost with its session.
  import('./withFormDrafts.ts').then(
    ({ withFormDrafts }) => {
      send = withFormDrafts(actions)
    },
    () => {},
  )
  return (...call) => send(...call)
}
