export { default, metadata } from 'virtual:reference/pluginDev.mdx'
