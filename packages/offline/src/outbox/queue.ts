import { sealedUser } from '../shared/owner.ts'
import { createCallQueue } from './callQueue.ts'
import { acceptMarks } from './queued.ts'

// Enable `queued()` here: only apps with this module have a queue that removes the marks of `queued()`
// from calls.
acceptMarks()

export { sealedUser }

// The browser loads the code that stores calls when it is idle.
export const { onIdle, onRouter, queueCalls, onOtherUser, wake } = createCallQueue(
  () => import('./createOutbox.ts'),
)
