export { default, metadata } from 'virtual:reference/lambda.mdx'
