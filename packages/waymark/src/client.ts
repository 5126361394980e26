export type { ErrorScreenProps } from './client/boundary.tsx'
export {
  useParams,
  usePathname,
  useSearchParams,
  useSelectedLayoutSegment,
  useSelectedLayoutSegments,
} from './client/hooks.ts'
export { type NavigateOptions, type Router, useRouter } from './client/router.ts'
