// Types of files that an app may import. An imported image includes its size.

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
declare module '*.svg' {
  const image: NextStaticImage
  export default image
}

type NextStyleNames = { readonly [name: string]: string }

declare module '*.module.css' {
  const names: NextStyleNames
  export default names
}
declare module '*.module.scss' {
  const names: NextStyleNames
  export default names
}
declare module '*.module.sass' {
  const names: NextStyleNames
  export default names
}
declare module '*.css' {}
