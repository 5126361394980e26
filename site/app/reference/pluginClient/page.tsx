export { default, metadata } from 'virtual:reference/pluginClient.mdx'
