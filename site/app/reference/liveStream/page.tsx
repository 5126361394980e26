export { default, metadata } from 'virtual:reference/liveStream.mdx'
