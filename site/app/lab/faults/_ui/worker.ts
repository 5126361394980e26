import type { FaultSettings, SeenRequest } from './faults.ts'

const scope = '/lab/faults'

/**
 * Hands the worker its settings, and starts it where it does not run.
 * @throws where the browser has no service workers, as on a plain http: site
 */
export async function setFault(settings: FaultSettings): Promise<void> {
  await navigator.serviceWorker.register('/lab/faultsWorker.js', { scope })
  const { active } = await navigator.serviceWorker.ready
  await send(active, settings)
}

async function send(worker: ServiceWorker | null, settings: FaultSettings): Promise<void> {
  if (!worker) return
  const { port1, port2 } = new MessageChannel()
  const kept = new Promise((resolve) => {
    port1.onmessage = resolve
  })
  worker.postMessage({ settings }, [port2])
  await kept
}

/** @returns what the worker does, if it runs: a document that comes new finds it at work */
export async function currentFault(): Promise<FaultSettings | null> {
  const registration = await navigator.serviceWorker?.getRegistration(scope)
  if (!registration) return null
  const stored = await caches.match('/lab/faults/settings')
  return stored ? stored.json() : null
}

/** Takes the worker away. */
export async function removeWorker(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(scope)
  if (!registration) return
  // It stays with this document for as long as that lives.
  await send(registration.active, { fault: 'none', on: [] })
  await registration.unregister()
}

/** @returns a function that ends it */
export function onSeen(listener: (seen: SeenRequest) => void): () => void {
  const hear = ({ data }: MessageEvent<SeenRequest>) => listener(data)
  navigator.serviceWorker?.addEventListener('message', hear)
  return () => navigator.serviceWorker?.removeEventListener('message', hear)
}
