export { ActionError, type ActionErrorCode } from './client/actions/actionError.ts'
export { inOrder } from './client/actions/inOrder.ts'
export type { NavigationEvents } from './client/navigation/events.ts'
export type { NavigationOutcome, NavigationState } from './client/navigation/navigation.ts'
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
export { type NavigateOptions, type Router, useRouter } from './components/routerContext.ts'
export { useSearchParams } from './components/useSearchParams.ts'
export type { ErrorScreenProps } from './shared/payload.ts'
