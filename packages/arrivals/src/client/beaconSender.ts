import { type Beacon, type Load, maxLoads } from '../shared/load.ts'
import type { Vital } from '../shared/vital.ts'

/** Number of loads or vitals at which a beacon is sent even if the page is still visible. */
const batchSize = maxLoads / 2

export type SenderOptions = {
  readonly build: () => string | null
  readonly isOnline: () => boolean
  /**
   * Sends a beacon. The request outlives the page, but a closed page doesn't learn the result.
   * @returns false if the network or the server failed, so that the beacon may be sent again
   */
  readonly post: (text: string) => Promise<boolean>
  readonly keep: (beacon: Beacon) => void
  readonly takeStored: () => Beacon | undefined
  /** Runs `send` unless a different tab is already running it. */
  readonly inOneTab: (run: () => Promise<void>) => Promise<void>
}

export type BeaconSender = ReturnType<typeof createBeaconSender>

/**
 * Sends loads and vitals in batches. While the network fails, they are stored, and sent once it
 * works again.
 */
export function createBeaconSender(options: SenderOptions) {
  const { build, isOnline, post, keep, takeStored, inOneTab } = options
  let loads: Load[] = []
  let vitals: Vital[] = []
  /** True if the network failed for the last load that needed it. */
  let isBroken = false
  let isSending = false

  function flush(): void {
    if (loads.length + vitals.length === 0) return
    const beacon = { build: build(), loads, vitals }
    loads = []
    vitals = []
    if (isOnline() && !isBroken) void send(beacon)
    else keep(beacon)
  }

  async function send(beacon: Beacon): Promise<boolean> {
    const isSent = await post(JSON.stringify(beacon))
    if (!isSent) keep(beacon)
    return isSent
  }

  async function sendStored(): Promise<void> {
    if (isSending || !isOnline() || isBroken) return
    isSending = true
    await inOneTab(async () => {
      for (let next = takeStored(); next && (await send(next)); next = takeStored());
    })
    isSending = false
  }

  return {
    add(load: Load): void {
      loads.push(load)
      isBroken = isCutOff(load)
      if (loads.length >= batchSize) flush()
      if (!isBroken) void sendStored()
    },
    addVital(vital: Vital): void {
      vitals.push(vital)
      if (vitals.length >= batchSize) flush()
    },
    flush,
    sendStored,
  }
}

function isCutOff({ outcome, cause, end }: Load): boolean {
  const hasArrived = outcome !== 'never' && outcome !== 'left' && (!end || end === 'arrived')
  return !hasArrived && cause !== undefined && cause !== 'thrown'
}
