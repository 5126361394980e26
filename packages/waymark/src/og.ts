export { ImageResponse, type ImageResponseOptions } from './og/imageResponse.ts'
