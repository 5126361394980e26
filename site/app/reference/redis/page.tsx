export { default, metadata } from 'virtual:reference/redis.mdx'
