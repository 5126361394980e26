import { createState, type Sql, type State } from './stateStore.ts'

/** The storage of a Durable Object, as the runtime passes it. */
export type ObjectContext = { readonly storage: { readonly sql: Sql } }

/**
 * Durable Object with the state that all isolates of an app share. The app has one object, and its
 * worker exports this class.
 */
export class WaymarkState {
  readonly #state: State

  constructor({ storage }: ObjectContext) {
    this.#state = createState(storage.sql)
  }

  /** Calls the function of the state that the URL's path names. */
  async fetch(request: Request): Promise<Response> {
    const name = new URL(request.url).pathname.slice(1)
    if (!Object.hasOwn(this.#state, name)) return new Response(null, { status: 404 })
    // Only the app's worker can reach the object, so the name and the input belong together.
    const call = this.#state[name as keyof State] as (input: unknown) => unknown
    return Response.json(call(await request.json()))
  }
}
