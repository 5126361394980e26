export { default, metadata } from 'virtual:reference/node.mdx'
