export { default, metadata } from 'virtual:reference/s3.mdx'
