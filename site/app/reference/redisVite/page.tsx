export { default, metadata } from 'virtual:reference/redisVite.mdx'
