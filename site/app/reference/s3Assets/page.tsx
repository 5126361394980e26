export { default, metadata } from 'virtual:reference/s3Assets.mdx'
