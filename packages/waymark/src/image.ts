export { Image, type ImageProps, imageAttributes } from './image/ImageElement.tsx'
export type { ImageLoader, ImportedImage } from './image/imageSource.ts'
export { Picture, type PictureProps, type PictureSource } from './image/PictureElement.tsx'
