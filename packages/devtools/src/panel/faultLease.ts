import { read } from './panelRequests.ts'

/** The faults that this browser has switched on, as the dev server counts them. */
export type LeasedFaults = {
  readonly faults: readonly {
    readonly target: string
    readonly kind: string
    readonly isOnce: boolean
    readonly hits: number
  }[]
  readonly leftMs: number
}

const renewEveryMs = 10_000
const hostName = 'waymark-devtools'
let timer: ReturnType<typeof setInterval> | undefined

/**
 * Says to the dev server that somebody is there who can switch the faults off, for as long as there
 * are any: without it, it ends them.
 */
export function renewFaults(view: Window, leased: LeasedFaults | null = null): void {
  clearInterval(timer)
  if (leased === null) void renew()
  else apply(leased)

  async function renew(): Promise<void> {
    // A server that is gone has no faults; its next response tells.
    const state = await read<LeasedFaults>('faults').catch(() => null)
    if (state) apply(state)
  }
  function apply({ faults }: LeasedFaults): void {
    clearInterval(timer)
    if (faults.length > 0) timer = setInterval(renew, renewEveryMs)
    view.document.querySelector(hostName)?.toggleAttribute('data-faults', faults.length > 0)
    setOffline(
      view,
      faults.some(({ kind }) => kind === 'offline'),
    )
  }
}

/** Tells the page that the browser has no network, as the browser would. */
function setOffline(view: Window, isOffline: boolean): void {
  const { navigator } = view
  const wasOffline = Object.hasOwn(navigator, 'onLine')
  if (isOffline === wasOffline) return
  if (isOffline)
    Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })
  else Reflect.deleteProperty(navigator, 'onLine')
  view.dispatchEvent(new Event(isOffline ? 'offline' : 'online'))
}
