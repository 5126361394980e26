export { default, metadata } from 'virtual:reference/contract.mdx'
