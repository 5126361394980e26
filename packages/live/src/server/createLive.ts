import type { Cache, MemoryDriver, Sealer } from 'waymark/internal/server'
import { heartbeatMs } from '../shared/messages.ts'
import { createClock } from './clock.ts'
import { createFollowPage } from './followPage.ts'
import { createHub } from './hub.ts'
import { tell } from './liveChannel.ts'
import { createLiveEndpoint } from './liveEndpoint.ts'
import { createOwnerOf, createSeal } from './subscription.ts'

type App = {
  readonly cache: Cache
  readonly memory: MemoryDriver
  readonly sealer: () => Sealer
  readonly isCredential: (cookie: string) => boolean
}

/** Tells open pages that something of them was changed; they fetch it with all guards. */
export function createLive({ cache, memory, sealer, isCredential }: App) {
  const seal = createSeal(sealer)
  const ownerOf = createOwnerOf(isCredential)
  const clock = createClock(memory)
  const hub = createHub(heartbeatMs)
  memory.onAnyInvalidated(hub.invalidate)
  memory.onAnyInvalidated((tags) => tell({ type: 'change', tags }))
  return {
    endpoint: createLiveEndpoint({ cache, clock, hub, ownerOf, seal }),
    follow: createFollowPage({ clock, ownerOf, seal }),
    attach: clock.attach,
  }
}
