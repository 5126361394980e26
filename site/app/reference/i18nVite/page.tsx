export { default, metadata } from 'virtual:reference/i18nVite.mdx'
