export { ImageResponse } from '@waymark/image/og'
