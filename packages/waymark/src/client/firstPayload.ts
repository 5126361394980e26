import { navigation } from 'virtual:waymark/navigation'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { Payload } from '../shared/payload.ts'
import { reloadOnce } from './assets/reload.ts'
import type { DocumentPayload } from './document/documentPayload.ts'
import type { BootRuntime } from './runtime.ts'

/** A payload, and whether all of it arrives: not when it is cut, or silent for too long. */
type Arriving = { readonly payload: Payload; readonly whole: Promise<boolean> }

/** The document's own payload, or where it was cut before it began, that of its URL. */
export async function firstPayload(flight: DocumentPayload, boot: BootRuntime): Promise<Arriving> {
  // React's own promise has a `then` that returns none.
  const own = Promise.resolve(createFromReadableStream<Payload>(flight.stream)).catch(() => null)
  const whole = arrivesWhole(flight)
  const cut = new Promise<null>((resolve) => {
    void whole.then((is) => is || resolve(null))
  })
  const payload = await Promise.race([own, cut])
  return payload ? { payload, whole } : fetchAgain(boot)
}

async function fetchAgain({ routerChunk, fields, loader }: BootRuntime): Promise<Arriving> {
  const code = await routerChunk.load().catch((error: unknown) => {
    reloadOnce()
    throw error
  })
  const { payload, ...arriving } = await code.loadShownPage(window, fields)
  // The router restores what was typed.
  void loader.start()
  return { payload, whole: arrivesWhole(arriving) }
}

function arrivesWhole({ whole, onChunk }: Omit<DocumentPayload, 'stream'>): Promise<boolean> {
  return new Promise((resolve) => {
    let silence: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(resolve, navigation.timeoutMs, false)
    }
    listen()
    onChunk(listen)
    void whole.then(resolve)
  })
}
