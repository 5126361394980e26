export { default, metadata } from 'virtual:reference/i18n.mdx'
