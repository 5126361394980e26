export { default, metadata } from 'virtual:reference/offlineServer.mdx'
