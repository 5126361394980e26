export { createMemoryDriver } from './cache/memoryCacheDriver.ts'
export { openAppJournal } from './cli/appJournal.ts'
export type { CommandInput, PackageCommand } from './cli/arguments.ts'
export {
  type OptionTable,
  type PackageOptions,
  parseDuration,
  sharedOptions,
} from './cli/commandOptions.ts'
export { createDescribe } from './cli/errorsCommand.ts'
export { formatBytes } from './cli/routesCommand.ts'
export { alignColumns } from './cli/terminal.ts'
export { RenderContext } from './components/routerContext.ts'
export { detailJson, detailLines, type EntryDetail } from './journal/detail.ts'
export { createEntry } from './journal/journalEntry.ts'
export { createPackageLoader, findPackage, versionIn, waymarkVersion } from './node/appPackages.ts'
export { loadEnvFiles } from './node/env.ts'
export { findBuildManifest } from './node/static/manifest.ts'
export { anonymousRequest } from './rsc/request/readRequest.ts'
export { createScope, runInScope } from './rsc/request/scope.ts'
export { unmounted } from './shared/basePath.ts'
export { type BuildManifest, buildLayout } from './shared/buildManifest.ts'
export {
  type BuiltPages,
  cacheStatusHeader,
  type FindCached,
  type PrerenderedManifest,
} from './shared/cachedPage.ts'
export {
  type ClosedPath,
  type DoctorQuestion,
  type DoctorReport,
  doctorHeader,
  doctorPath,
  givenSecrets,
  isSame,
  proveAnswer,
  type ServedAssets,
  writeQuestion,
} from './shared/doctorProof.ts'
export { documentEndMark } from './shared/documentMarks.ts'
export { createDigest } from './shared/errorReport.ts'
export { frameworkError } from './shared/errors.ts'
export { escapeHtml } from './shared/html.ts'
export { groupBy, setBounded } from './shared/maps.ts'
export { assetsPrefix, digestHeader, internalPrefix, payloadUrl } from './shared/protocol.ts'
