// What the plugin writes for the app.

declare module 'virtual:next-names/images' {
  export const isUnoptimized: boolean
  /** Of `images.loaderFile`. */
  export const loader: import('./image.tsx').ImageLoader | undefined
}
