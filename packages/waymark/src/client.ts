export { ActionError, type ActionErrorCode } from './client/actions/actionError.ts'
export {
  useLinkStatus,
  useNavigation,
  useParams,
  usePathname,
  useSelectedLayoutSegment,
  useSelectedLayoutSegments,
} from './client/hooks.ts'
export type { NavigationEvents } from './client/navigation/events.ts'
export type { NavigationOutcome, NavigationState } from './client/navigation/navigation.ts'
export { type NavigateOptions, type Router, useRouter } from './client/router.ts'
export { type BlockerState, useBlocker } from './client/useBlocker.ts'
export { useSearchParams } from './client/useSearchParams.ts'
export type { ErrorScreenProps } from './shared/payload.ts'
