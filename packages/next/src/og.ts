export { ImageResponse } from 'waymark/og'
