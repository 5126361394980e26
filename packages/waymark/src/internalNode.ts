export { createMemoryDriver } from './cache/memoryCacheDriver.ts'
export type { Command, CommandInput } from './cli/arguments.ts'
export { formatBytes } from './cli/routesTable.ts'
export { alignColumns } from './cli/terminal.ts'
export { RenderContext } from './components/routerContext.ts'
export { waymarkVersion } from './node/appPackages.ts'
export { loadEnvFiles } from './node/env.ts'
export { anonymousRequest } from './rsc/request/readRequest.ts'
export { createScope, runInScope } from './rsc/request/scope.ts'
export { unmounted } from './shared/basePath.ts'
export { setBounded } from './shared/boundedMap.ts'
export { type BuildManifest, buildLayout } from './shared/buildManifest.ts'
export {
  type BuiltPages,
  cacheStatusHeader,
  type FindCached,
  type PrerenderedManifest,
} from './shared/cachedPage.ts'
export { documentEndMark } from './shared/documentMarks.ts'
export { parseDuration } from './shared/duration.ts'
export { frameworkError } from './shared/errors.ts'
export { escapeHtml } from './shared/html.ts'
export { digestHeader, internalPrefix, payloadUrl } from './shared/protocol.ts'
