/// <reference types="vite/client" />

declare module '*/imageFallback.js?url&no-inline' {
  const url: string
  export default url
}
