export { ImageResponse, type ImageResponseOptions } from './imageResponse.ts'
