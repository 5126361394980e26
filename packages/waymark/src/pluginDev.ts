export { parseDigest } from './journal/query.ts'
export type { ListedRoute } from './routing/routeEntries.ts'
export { escapeHtml } from './shared/html.ts'
export { isSecretName } from './vite/build/leaks.ts'
export type { SourcePlace } from './vite/config/sourceText.ts'
export { type LocalClient, refuseOtherClients } from './vite/dev/devSecurity.ts'
export type {
  AppRequest,
  Devtools,
  DevtoolsPackage,
  ReceivedRequest,
} from './vite/dev/devTools.ts'
export type {
  Explanation,
  ExplanationContext,
  ExplanationRule,
} from './vite/dev/explainError.ts'
export {
  type ExplainedRoute,
  type InspectedRoutes,
  parsePathname,
} from './vite/dev/inspectedRoutes.ts'
export type {
  InspectedCache,
  InspectedCacheEntry,
  InspectedJournal,
  InspectedPage,
  InspectedServer,
  RecordedError,
} from './vite/dev/inspectedServer.ts'
export { isClientModule } from './vite/internals/findPackages.ts'
export { type ImportTransform, rejectServerImports } from './vite/plugins/serverEntries.ts'
