/** Renders a whole document: React's own function, or a package's. */
declare module 'virtual:waymark/document-renderer' {
  export { renderToPipeableStream } from 'react-dom/server'
}

declare module 'virtual:vite-rsc/assets-manifest' {
  interface Files {
    readonly js: readonly string[]
    readonly css: readonly string[]
  }
  const manifest: {
    readonly clientEntryUrl: string
    readonly clientEntryDeps: Files | undefined
    readonly clientReferenceDeps: Readonly<Record<string, Files>>
  }
  export default manifest
}
