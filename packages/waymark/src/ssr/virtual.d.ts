declare module 'virtual:vite-rsc/assets-manifest' {
  const manifest: object
  export default manifest
}
