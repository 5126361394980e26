import { type Beacon, type Load, maxLoads } from '../shared/load.ts'

/** A beacon is sent before the page is hidden once it has so many loads. */
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

/** Sends loads in batches; while the network fails they are kept, and sent once later. */
export function createBeaconSender(options: SenderOptions) {
  const { build, isOnline, sendBeacon, post, keep, takeKept } = options
  let batch: Load[] = []
  /** The last load that needed the network did not get through. */
  let isBroken = false
  let isSending = false

  function flush(): void {
    if (batch.length === 0) return
    const beacon = { build: build(), loads: batch }
    batch = []
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
      batch.push(load)
      isBroken = isCutOff(load)
      if (batch.length >= batchSize) flush()
      if (!isBroken) void sendKept()
    },
    flush,
    sendKept,
  }
}

function isCutOff({ outcome, cause, end }: Load): boolean {
  const hasArrived = outcome !== 'never' && outcome !== 'left' && (!end || end === 'arrived')
  return !hasArrived && cause !== undefined && cause !== 'thrown'
}
