export { remoteImages } from './remoteImages.ts'
export type { RemoteSource } from './remoteSource.ts'
export type { RemoteImages, RemoteImagesOptions } from './signedImages.ts'
