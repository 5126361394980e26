import { sealedUser } from '../shared/owner.ts'
import { createCallQueue } from './callQueue.ts'
import { acceptMarks } from './queued.ts'

// Only apps with this module have a queue, which removes the marks of `queued()` from calls. So
// enable `queued()` here.
acceptMarks()

export { sealedUser }

// The browser loads the code that stores calls when it is idle.
export const { onIdle, onRouter, queueCalls, onOtherUser, wake } = createCallQueue(
  () => import('./createOutbox.ts'),
)
