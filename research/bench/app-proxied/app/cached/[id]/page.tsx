export { StaticPage as default } from '../../../../pages/static.tsx'

/** Each URL is rendered at its first request, and then cached in memory. */
export const revalidate = 3600

export function generateStaticParams() {
  return []
}
