/** An image in several sizes, for `<Image>`. */
declare module '*?image' {
  const image: import('./dist/index.js').ImportedImage
  export default image
}

/** The same, in AVIF, too. */
declare module '*?image&avif' {
  const image: import('./dist/index.js').ImportedImage
  export default image
}
