import {
  type CallServer,
  createFromReadableStream as decode,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'

// A build takes this in place of plugin-rsc's `react/browser` and `core/browser`, which are larger.

// The latter is imported only where `action-encoder` is not possible.
export {
  createServerReference,
  encodeReply,
} from '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser'

// Set before the app is rendered. A module that calls while it is loaded gets a `TypeError`.
const actions = {} as { call: CallServer }

export function setServerCallback(call: CallServer): void {
  actions.call = call
}

export function callServer(id: string, args: unknown[]): Promise<unknown> {
  return actions.call(id, args)
}

/** Decodes what React has encoded on the server. Resolves once the root is there. */
export function createFromReadableStream<T>(stream: ReadableStream<Uint8Array>): Promise<T> {
  return decode<T>(stream, { callServer })
}

/** Sets what loads the modules of client components, called once for each. */
export function setRequireModule({ load }: { load(id: string): unknown }): void {
  const known = new Map<string, unknown>()
  const requireModule = (id: string) => {
    if (!known.has(id)) known.set(id, load(id))
    return known.get(id)
  }
  // The name that plugin-rsc writes into React's runtime.
  Object.assign(globalThis, { __vite_rsc_require__: requireModule })
}
