export { default, metadata } from 'virtual:reference/drivers.mdx'
