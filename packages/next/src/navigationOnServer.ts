import { browserOnly } from './signals.ts'

export { ReadonlyURLSearchParams } from './readonlySearchParams.ts'
export {
  forbidden,
  notFound,
  permanentRedirect,
  RedirectType,
  redirect,
  unauthorized,
  unstable_rethrow,
} from './signals.ts'

export const useParams = browserOnly('useParams')
export const usePathname = browserOnly('usePathname')
export const useRouter = browserOnly('useRouter')
export const useSearchParams = browserOnly('useSearchParams')
export const useSelectedLayoutSegment = browserOnly('useSelectedLayoutSegment')
export const useSelectedLayoutSegments = browserOnly('useSelectedLayoutSegments')
export const useServerInsertedHTML = browserOnly('useServerInsertedHTML')
export const unstable_isUnrecognizedActionError = browserOnly('unstable_isUnrecognizedActionError')
