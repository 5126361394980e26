import type { ClientState } from '../shared/messages.ts'
import type { WorkerClient } from './scope.ts'

/** Time limit for an answer from a tab. Tabs that are frozen or still loading their code don't answer. */
const answersWithinMs = 300

/** Asks a client's page for its state; `null` if the page doesn't answer. */
export async function ask(client: WorkerClient | undefined): Promise<ClientState | null> {
  if (!client) return null
  const { port1, port2 } = new MessageChannel()
  client.postMessage({ type: 'ask' }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as ClientState)
    setTimeout(resolve, answersWithinMs, null)
  })
}
