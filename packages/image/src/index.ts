/// <reference path="../imports.d.ts" preserve="true" />
export { Image, type ImageProps, imageAttributes } from './ImageElement.tsx'
export type { ImageLoader, ImportedImage } from './imageSource.ts'
export { Picture, type PictureProps, type PictureSource } from './PictureElement.tsx'
