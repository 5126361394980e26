/** React's own decoders, which take the list of what may be named: plugin-rsc's take any name. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/server.node' {
  import type { ReactFormState } from 'react-dom/client'

  /** By a server function's id: where its module is. */
  export type ServerManifest = object

  export function decodeReply<T>(
    body: string | FormData,
    manifest: ServerManifest,
    options?: { readonly arraySizeLimit?: number },
  ): PromiseLike<T>

  export function decodeFormState(
    result: unknown,
    body: FormData,
    manifest: ServerManifest,
  ): Promise<ReactFormState | null>
}
