/// <reference types="vite/client" />

// An imported image has its measures with it.
type NextStaticImage = import('next/image').StaticImageData

declare module '*.png' {
  const image: NextStaticImage
  export default image
}
declare module '*.jpg' {
  const image: NextStaticImage
  export default image
}
declare module '*.jpeg' {
  const image: NextStaticImage
  export default image
}
declare module '*.webp' {
  const image: NextStaticImage
  export default image
}
declare module '*.gif' {
  const image: NextStaticImage
  export default image
}
