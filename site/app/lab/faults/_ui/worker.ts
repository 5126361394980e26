import type { FaultSettings, SeenRequest } from './faults.ts'

const scope = '/lab/faults'

/**
 * Sends the settings to the worker, and starts it if needed.
 * @throws if the browser has no service workers, for example on a site without https
 */
export async function setFault(settings: FaultSettings): Promise<void> {
  const registration = await navigator.serviceWorker.register('/lab/faultsWorker.js', { scope })
  await send(await activeWorker(registration), settings)
}

/** Waits for the lab's worker. `ready` could resolve with the site's own worker. */
function activeWorker({ active, installing, waiting }: ServiceWorkerRegistration) {
  const worker = active ?? waiting ?? installing
  return new Promise<ServiceWorker | null>((resolve) => {
    const look = () => (!worker || worker.state === 'activated') && resolve(worker)
    worker?.addEventListener('statechange', look)
    look()
  })
}

/** Returns the registration of the lab's worker, if it exists. */
async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration(scope)
  return registration?.scope.endsWith(scope) ? registration : undefined
}

async function send(worker: ServiceWorker | null, settings: FaultSettings): Promise<void> {
  if (!worker) return
  const { port1, port2 } = new MessageChannel()
  const stored = new Promise((resolve) => {
    port1.onmessage = resolve
  })
  worker.postMessage({ settings }, [port2])
  await stored
}

/** Returns the settings of a running worker. A worker outlives the document that started it. */
export async function currentFault(): Promise<FaultSettings | null> {
  const registration = await findRegistration()
  if (!registration) return null
  const stored = await caches.match('/lab/faults/settings')
  return stored ? stored.json() : null
}

/** Stops the faults and removes the worker. */
export async function removeWorker(): Promise<void> {
  const registration = await findRegistration()
  if (!registration) return
  // An unregistered worker still controls this document, so switch the fault off first.
  await send(registration.active, { fault: 'none', on: [] })
  await registration.unregister()
}

/** Listens to the requests that the worker sees. Returns a function that stops. */
export function onSeen(listener: (seen: SeenRequest) => void): () => void {
  const hear = ({ data }: MessageEvent<SeenRequest>) => {
    // The site's offline worker sends other messages to the same page.
    if (typeof data?.fault === 'string') listener(data)
  }
  navigator.serviceWorker?.addEventListener('message', hear)
  return () => navigator.serviceWorker?.removeEventListener('message', hear)
}
