declare module 'react-dom/server.bun' {
  export { renderToPipeableStream } from 'react-dom/server'
}

declare module 'virtual:vite-rsc/assets-manifest' {
  const manifest: import('@vitejs/plugin-rsc').ResolvedAssetsManifest
  export default manifest
}
