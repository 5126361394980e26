export { default, metadata } from 'virtual:reference/pluginNode.mdx'
