/** The parts of React's Flight builds that the floors use. They have no types. */
declare module '@vitejs/plugin-rsc/vendor/react-server-dom/server.node' {
  export const renderToPipeableStream: (
    model: unknown,
    manifest: object,
    options: object,
  ) => unknown
  export const renderToReadableStream: (
    model: unknown,
    manifest: object,
    options: object,
  ) => unknown
}

declare module '@vitejs/plugin-rsc/vendor/react-server-dom/client.node' {
  export const createFromNodeStream: (stream: unknown, manifest: object) => unknown
  export const createFromReadableStream: (stream: unknown, options: object) => unknown
}
