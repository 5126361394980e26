export { default, metadata } from 'virtual:reference/workerdWorker.mdx'
