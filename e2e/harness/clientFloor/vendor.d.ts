/** React's Flight decoder for browsers, which has no types. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/client.browser' {
  import type { ReactNode } from 'react'
  export function createFromReadableStream(stream: ReadableStream): Promise<ReactNode>
}
