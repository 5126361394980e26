export { remoteImages } from './image/remoteImages.ts'
export type { RemoteSource } from './image/remoteSource.ts'
export type { RemoteImages, RemoteImagesOptions } from './image/signedImages.ts'
