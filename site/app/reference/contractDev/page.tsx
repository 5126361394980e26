export { default, metadata } from 'virtual:reference/contractDev.mdx'
