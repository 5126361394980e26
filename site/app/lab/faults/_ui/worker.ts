import type { FaultSettings, SeenRequest } from './faults.ts'

const scope = '/lab/faults'

/**
 * Sends the settings to the worker, which is started if needed.
 * @throws if the browser has no service workers, for example on a site without https
 */
export async function setFault(settings: FaultSettings): Promise<void> {
  const registration = await navigator.serviceWorker.register('/lab/faultsWorker.js', { scope })
  await send(await activeWorker(registration), settings)
}

/**
 * Waits for the lab's worker. Doesn't use `navigator.serviceWorker.ready`, which could resolve with the
 * site's own worker.
 */
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
  // Switch the fault off before unregistering the worker, because an unregistered worker still controls
  // this document.
  await send(registration.active, { fault: 'none', on: [] })
  await registration.unregister()
}

/** Listens to the worker's reports about requests. Returns a function that stops listening. */
export function onSeen(listener: (seen: SeenRequest) => void): () => void {
  const hear = ({ data }: MessageEvent<SeenRequest>) => {
    // Ignore other messages, because the site's offline worker sends messages to the same page.
    if (typeof data?.fault === 'string') listener(data)
  }
  navigator.serviceWorker?.addEventListener('message', hear)
  return () => navigator.serviceWorker?.removeEventListener('message', hear)
}
