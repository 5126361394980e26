export { default, metadata } from 'virtual:reference/operationsAssets.mdx'
