export { default, metadata } from 'virtual:reference/schedule.mdx'
