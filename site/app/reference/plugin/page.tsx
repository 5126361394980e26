export { default, metadata } from 'virtual:reference/plugin.mdx'
