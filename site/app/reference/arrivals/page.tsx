export { default, metadata } from 'virtual:reference/arrivals.mdx'
