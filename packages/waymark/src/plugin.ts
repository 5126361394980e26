export type { ClosedPath, ServedAssets } from './builds/servedAssets.ts'
export type { Cache } from './cache/cache.ts'
export type { CacheDriver, InvalidationMode } from './cache/cacheDriver.ts'
export type { CacheRead, Compute, Computed } from './cache/cacheEntry.ts'
export type { CacheLife } from './cache/cacheLife.ts'
export type { MemoryDriver, MemoryDriverOptions } from './cache/memoryCacheDriver.ts'
export type { CommandInput, PackageCommand, PackageCommandInput } from './cli/arguments.ts'
export type {
  OptionDescription,
  OptionTable,
  OptionValues,
  PackageOptions,
} from './cli/commandOptions.ts'
export type { CommandDescription } from './cli/commands.ts'
export { defineCommand } from './cli/defineCommand.ts'
export type { Terminal } from './cli/terminal.ts'
export type { PendingCalls } from './client/actions/calls.ts'
export type { PayloadReader } from './client/hooks/callHooks.ts'
export type { OtherContent, Page } from './client/navigation/page.ts'
export type { ClientHooks, PackageNavigation, PackageRouter } from './client/packageHooks.ts'
export type {
  NavigationKind,
  NavigationOutcome,
  RouterEvents,
} from './components/navigationStore.ts'
export type { Endpoint, SentDocument } from './http/endpoint.ts'
export type {
  BodyListener,
  BodyStream,
  BodyVariant,
  CachedResponse,
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  ResponseBody,
  SentRequest,
  ServerRequest,
  StreamedBody,
  Upgrade,
} from './http/response.ts'
export type { JournalPhase } from './journal/journalEntry.ts'
export type { KeepRequest, Occurrence, OccurrenceScope } from './journal/reportError.ts'
export type { RouteUrls } from './routing/routeUrls.ts'
export type { CreateServerPart, ServerApp, ServerPart } from './rsc/packageParts.ts'
export type { FollowedPage, FollowPage } from './rsc/page/followedPage.ts'
export type { Sealer } from './rsc/request/draftMode.ts'
export type {
  CachedStep,
  ObservedMatch,
  ServerObserver,
  ServerStep,
} from './rsc/request/serverObserver.ts'
export type { AroundRequest, ObservingAround } from './rsc/serverOptions.ts'
export type { PackageTexts } from './screens/packageTexts.ts'
export type {
  BuildCheck,
  CheckBuild,
  CheckedAction,
  CheckedBuild,
  CheckedClientModule,
  CheckedInterception,
  CheckedLayout,
  CheckedPage,
  CheckedRoute,
  CheckedScreen,
} from './vite/config/checkBuild.ts'
export type { ClientHookName } from './vite/config/clientHooks.ts'
export {
  type DescribePackage,
  definePackage,
  type ListedCommand,
  type ModuleExport,
  type PackageDescription,
  type PackagePlugin,
} from './vite/config/definePackage.ts'
export type { ClientVariant, ClientVariants } from './vite/config/variantOptions.ts'
export type { Payload, PayloadSegment, RouteState, Stylesheet } from './wire/payload.ts'
export type { Timings, TracedEvent, TracedStep } from './wire/trace.ts'
