export { default, metadata } from 'virtual:reference/workerd.mdx'
