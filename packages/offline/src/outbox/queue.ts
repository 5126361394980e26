import { sealedUser } from '../shared/owner.ts'
import { createCallQueue } from './callQueue.ts'
import { acceptMarks } from './queued.ts'

// Only an app with this module has a queue, which takes the marks of `queued()` off its calls.
acceptMarks()

export { sealedUser }

// Idle time loads the code that stores calls.
export const { onIdle, onRouter, queueCalls, onOtherUser, wake } = createCallQueue(
  () => import('./createOutbox.ts'),
)
