import type { OfflineClient } from 'waymark/internal'
import { withFormDrafts } from '../forms/withFormDrafts.ts'

/** Runs calls of actions. */
export const queue: OfflineClient['queue'] = (actions) => {
  const send = withFormDrafts(actions)
  return (call) => send(call)
}
