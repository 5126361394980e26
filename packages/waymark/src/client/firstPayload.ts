import { navigation } from 'virtual:waymark/navigation'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { Payload } from '../shared/payload.ts'
import type { BootParts } from './bootParts.ts'
import type { DocumentFlight } from './documentFlight.ts'
import { reloadOnce } from './reloadOnce.ts'

/** A payload, and what still arrives of it: rejects when that was cut, or silent for too long. */
type Arriving = { readonly payload: Payload; readonly whole: Promise<void> }

/** The document's own payload, or where it was cut before it began, that of its URL. */
export async function firstPayload(flight: DocumentFlight, boot: BootParts): Promise<Arriving> {
  const own = createFromReadableStream<Payload>(flight.stream)
  const whole = arrivesWhole(flight)
  const cut = whole.then(() => new Promise<never>(() => {}))
  try {
    return { payload: await Promise.race([own, cut]), whole }
  } catch {
    return loadAgain(boot)
  }
}

async function loadAgain({ late, fields, router }: BootParts): Promise<Arriving> {
  const code = await late.load().catch((error: unknown) => {
    reloadOnce()
    throw error
  })
  const { payload, whole, onBytes } = await code.loadShownPage(window, fields)
  // It puts back what was typed.
  router().catch(() => {})
  return { payload, whole: arrivesWhole({ whole, onPiece: onBytes }) }
}

function arrivesWhole({ whole, onPiece }: Omit<DocumentFlight, 'stream'>): Promise<void> {
  return new Promise((resolve, reject) => {
    let silence: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(silence)
      const late = () => reject(new Error('The document has stopped arriving.'))
      silence = setTimeout(late, navigation.timeoutMs)
    }
    listen()
    onPiece(listen)
    whole.then(resolve, reject).finally(() => clearTimeout(silence))
  })
}
