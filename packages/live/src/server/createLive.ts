import type { ServerApp, ServerPart } from 'waymark/plugin'
import { heartbeatMs } from '../shared/messages.ts'
import { createClock } from './clock.ts'
import { createFollowPage } from './followPage.ts'
import { createHub } from './hub.ts'
import { tell } from './liveChannel.ts'
import { createLiveEndpoint } from './liveEndpoint.ts'
import { createOwnerOf, createSeal } from './subscription.ts'

type App = Pick<ServerApp, 'cache' | 'memory' | 'sealer' | 'hashSender'>

/** Notifies open pages of changes. The pages then fetch themselves again, which runs all guards. */
export function createLive({ cache, memory, sealer, hashSender }: App) {
  const seal = createSeal(sealer)
  const ownerOf = createOwnerOf(hashSender)
  const clock = createClock(memory)
  const hub = createHub(heartbeatMs)
  memory.onAnyInvalidated(hub.invalidate)
  memory.onAnyInvalidated((tags) => tell({ type: 'change', tags }))
  return {
    endpoints: [createLiveEndpoint({ cache, clock, hub, ownerOf, seal })],
    followPage: createFollowPage({ clock, ownerOf, seal }),
    attachCache: clock.attach,
  } satisfies ServerPart
}
