export { default, metadata } from 'virtual:reference/liveClient.mdx'
