import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react'
import type { Payload } from '../shared/payload.ts'
import { listenToHistory, listenToLinks } from './listeners.ts'
import { createNavigator } from './navigator.ts'
import { PayloadRoot } from './root.tsx'
import { RouterContext } from './router.ts'

/** The running application: the mounted payload, and the router that replaces it. */
export function App({ initial }: { initial: Payload }): ReactNode {
  const [payload, setPayload] = useState(initial)
  const navigator = useMemo(
    () => createNavigator({ initial, show: (next) => startTransition(() => setPayload(next)) }),
    [initial],
  )
  useEffect(() => {
    const stop = [listenToLinks(navigator), listenToHistory(navigator)]
    import.meta.hot?.on('rsc:update', navigator.refresh)
    return () => {
      for (const each of stop) each()
      import.meta.hot?.off('rsc:update', navigator.refresh)
    }
  }, [navigator])
  return (
    <RouterContext value={navigator}>
      <PayloadRoot payload={payload} />
    </RouterContext>
  )
}
