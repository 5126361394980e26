export { default, metadata } from 'virtual:reference/liveSocket.mdx'
