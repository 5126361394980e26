// Virtual modules that the plugin writes for each app.

declare module 'virtual:next-names/images' {
  export const isUnoptimized: boolean
  /** The loader in `images.loaderFile`. */
  export const loader: import('./image.tsx').ImageLoader | undefined
}
