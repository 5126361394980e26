/** React's client runtime as browsers get it, from plugin-rsc's copy, which has no types. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser' {
  export type CallServer = (id: string, args: unknown[]) => Promise<unknown>

  export function createFromReadableStream<T>(
    stream: ReadableStream<Uint8Array>,
    options: { readonly callServer: CallServer },
  ): Promise<T>

  export function createServerReference(id: string, callServer: CallServer): CallServer
}
