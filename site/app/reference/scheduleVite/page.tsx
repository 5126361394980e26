export { default, metadata } from 'virtual:reference/scheduleVite.mdx'
