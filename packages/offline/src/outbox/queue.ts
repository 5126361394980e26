import type { OfflineClient } from 'waymark/internal'

/** Runs calls of actions. */
export const queue: OfflineClient['queue'] = (actions) => {
  let { send } = actions
  // A call does not wait for it: without it, what was typed is lost with its session.
  void import('../forms/withFormDrafts.ts').then(
    ({ withFormDrafts }) => {
      send = withFormDrafts(actions)
    },
    () => {},
  )
  return (call) => send(call)
}
