import type { State } from './stateStore.ts'

/** The binding of a Durable Object's class. */
export type ObjectNamespace = {
  idFromName(name: string): unknown
  get(id: never): { fetch(url: string, init: RequestInit): Promise<Response> }
}

/** Calls a function of the shared state. Rejects if the object doesn't respond. */
export type CallState = <Name extends keyof State>(
  name: Name,
  input: Parameters<State[Name]>[0],
) => Promise<ReturnType<State[Name]>>

/** Creates a function that calls the app's Durable Object. */
export function createStateClient(namespace: ObjectNamespace): CallState {
  return async (name, input) => {
    // A stub belongs to one request, so create it for each call.
    const stub = namespace.get(namespace.idFromName('waymark') as never)
    const init = { method: 'POST', body: JSON.stringify(input) }
    const response = await stub.fetch(`https://state/${name}`, init)
    if (!response.ok) throw new Error(`the Durable Object responded with ${response.status}`)
    return response.json()
  }
}

/** Options of a driver's calls. */
export type CallOptions = {
  readonly log: (line: string) => void
  /**
   * Keeps the worker running until the work is done. Without it, the runtime cuts off calls for
   * which nobody waits when their request ends.
   */
  readonly keepAlive: (work: Promise<unknown>) => void
}

/**
 * Creates a function that runs a call and returns `null` if it fails. Logs the first failure, and
 * the first success after it.
 */
export function createAttempts(what: string, { log, keepAlive }: CallOptions) {
  let isFailing = false

  async function attempt<Result>(run: () => Promise<Result>): Promise<Result | null> {
    try {
      const result = await run()
      if (isFailing) log(`${what} is available again.`)
      isFailing = false
      return result
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      if (!isFailing) log(`${what} is unavailable: ${reason}.`)
      isFailing = true
      return null
    }
  }

  return <Result>(run: () => Promise<Result>): Promise<Result | null> => {
    const attempted = attempt(run)
    keepAlive(attempted)
    return attempted
  }
}
