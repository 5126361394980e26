export { default, metadata } from 'virtual:reference/pluginServer.mdx'
