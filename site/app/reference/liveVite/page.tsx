export { default, metadata } from 'virtual:reference/liveVite.mdx'
