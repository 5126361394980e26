import type { ClientState } from '../shared/messages.ts'
import type { WorkerClient } from './scope.ts'

/** A tab that is frozen, or has not loaded its code yet, does not answer. */
const answersWithinMs = 300

/** Asks the page of a client; `null` where it does not answer. */
export async function ask(client: WorkerClient | undefined): Promise<ClientState | null> {
  if (!client) return null
  const { port1, port2 } = new MessageChannel()
  client.postMessage({ type: 'ask' }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as ClientState)
    setTimeout(resolve, answersWithinMs, null)
  })
}
