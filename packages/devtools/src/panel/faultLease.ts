import { read } from './panelRequests.ts'

/** The faults of this browser, with their counts, as the dev server returns them. */
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
 * While faults are active, regularly tells the dev server that a page with devtools is open.
 * Without these messages, the server ends the faults.
 */
export function renewFaults(view: Window, leased: LeasedFaults | null = null): void {
  clearInterval(timer)
  if (leased === null) void renew()
  else apply(leased)

  async function renew(): Promise<void> {
    // If the server can't be reached, keep the current state and ask again later.
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

/**
 * Makes the page believe that the browser is offline, or online again, and dispatches the matching
 * event.
 */
function setOffline(view: Window, isOffline: boolean): void {
  const { navigator } = view
  const wasOffline = Object.hasOwn(navigator, 'onLine')
  if (isOffline === wasOffline) return
  if (isOffline)
    Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })
  else Reflect.deleteProperty(navigator, 'onLine')
  view.dispatchEvent(new Event(isOffline ? 'offline' : 'online'))
}
