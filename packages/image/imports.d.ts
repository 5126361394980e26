/** An imported image in several sizes, for `<Image>`. */
declare module '*?image' {
  const image: import('./dist/index.js').ImportedImage
  export default image
}

/** An imported image in several sizes, in WebP and AVIF, for `<Image>`. */
declare module '*?image&avif' {
  const image: import('./dist/index.js').ImportedImage
  export default image
}
