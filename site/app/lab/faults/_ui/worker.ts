import type { FaultSettings, SeenRequest } from './faults.ts'

const scope = '/lab/faults'

/**
 * Hands the worker its settings, and starts it where it does not run.
 * @throws where the browser has no service workers, as on a plain http: site
 */
export async function setFault(settings: FaultSettings): Promise<void> {
  const registration = await navigator.serviceWorker.register('/lab/faultsWorker.js', { scope })
  await send(await activeWorker(registration), settings)
}

/** The site has a worker of its own, so that `ready` may be about that. */
function activeWorker({ active, installing, waiting }: ServiceWorkerRegistration) {
  const worker = active ?? waiting ?? installing
  return new Promise<ServiceWorker | null>((resolve) => {
    const look = () => (!worker || worker.state === 'activated') && resolve(worker)
    worker?.addEventListener('statechange', look)
    look()
  })
}

/** @returns that of the lab, if there is one */
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

/** @returns what the worker does, if it runs: a document that comes new finds it at work */
export async function currentFault(): Promise<FaultSettings | null> {
  const registration = await findRegistration()
  if (!registration) return null
  const stored = await caches.match('/lab/faults/settings')
  return stored ? stored.json() : null
}

/** Takes the worker away. */
export async function removeWorker(): Promise<void> {
  const registration = await findRegistration()
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
