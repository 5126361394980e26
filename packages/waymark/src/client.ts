export {
  ActionError,
  type ActionErrorCode,
  type ActionErrorType,
} from './client/actions/actionError.ts'
export { inOrder } from './client/actions/inOrder.ts'
export {
  type BlockerState,
  useBlocker,
  useLinkStatus,
  useNavigation,
  useParams,
  usePathname,
  useSelectedLayoutSegment,
  useSelectedLayoutSegments,
} from './components/hooks.ts'
export type {
  NavigationEvents,
  NavigationOutcome,
  NavigationState,
} from './components/navigationStore.ts'
export { type NavigateOptions, type Router, useRouter } from './components/routerContext.ts'
export { useSearchParams } from './components/useSearchParams.ts'
export {
  type InsertHtml,
  useServerInsertedHTML,
} from './components/useServerInsertedHTML.ts'
export { type Upload, useUpload } from './components/useUpload.ts'
export type { ColorScheme, Preference } from './theme/config.ts'
export { type ThemeState, useTheme } from './theme/useTheme.ts'
export type { ErrorScreenProps } from './wire/payload.ts'
