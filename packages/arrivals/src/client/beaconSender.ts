import { type Beacon, type Load, maxLoads } from '../shared/load.ts'
import type { Vital } from '../shared/vital.ts'

/** A beacon is sent before the page is hidden once it has so many loads or vitals. */
const batchSize = maxLoads / 2

export type SenderOptions = {
  readonly build: () => string | null
  readonly isOnline: () => boolean
  /** Hands a beacon to the browser, which sends it even when the page is closed. */
  readonly sendBeacon: (text: string) => boolean
  /** @returns false where the network or the server failed: it may be sent again */
  readonly post: (text: string) => Promise<boolean>
  readonly keep: (beacons: readonly Beacon[]) => void
  readonly takeKept: () => readonly Beacon[]
}

export type BeaconSender = ReturnType<typeof createBeaconSender>

/** Sends loads and vitals in batches; while the network fails they are kept, and sent once later. */
export function createBeaconSender(options: SenderOptions) {
  const { build, isOnline, sendBeacon, post, keep, takeKept } = options
  let loads: Load[] = []
  let vitals: Vital[] = []
  /** The last load that needed the network did not get through. */
  let isBroken = false
  let isSending = false

  function flush(): void {
    if (loads.length + vitals.length === 0) return
    const beacon = { build: build(), loads, vitals }
    loads = []
    vitals = []
    const isSent = isOnline() && !isBroken && sendBeacon(JSON.stringify(beacon))
    if (!isSent) keep([beacon])
  }

  async function sendKept(): Promise<void> {
    if (isSending || !isOnline() || isBroken) return
    isSending = true
    const beacons = [...takeKept()]
    for (let next = beacons[0]; next; next = beacons[0]) {
      if (!(await post(JSON.stringify(next)))) break
      beacons.shift()
    }
    if (beacons.length > 0) keep(beacons)
    isSending = false
  }

  return {
    add(load: Load): void {
      loads.push(load)
      isBroken = isCutOff(load)
      if (loads.length >= batchSize) flush()
      if (!isBroken) void sendKept()
    },
    addVital(vital: Vital): void {
      vitals.push(vital)
      if (vitals.length >= batchSize) flush()
    },
    flush,
    sendKept,
  }
}

function isCutOff({ outcome, cause, end }: Load): boolean {
  const hasArrived = outcome !== 'never' && outcome !== 'left' && (!end || end === 'arrived')
  return !hasArrived && cause !== undefined && cause !== 'thrown'
}
