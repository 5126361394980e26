export { cacheStatusHeader } from './builds/cachedPage.ts'
export { type BodyFollower, followBody } from './http/stream.ts'
export { createTokenBuckets, type Rate } from './journal/journal.ts'
export { appSecrets, runtimeSecrets } from './rsc/action/appSecrets.ts'
export { createKeyRing } from './rsc/action/encryption.ts'
export { parseSecrets } from './rsc/action/parseSecrets.ts'
export { addCacheTags } from './rsc/page/followedPage.ts'
export type { ChooseVariant, VariantPage } from './rsc/page/pageVariants.ts'
export { isSuspension } from './rsc/page/suspension.ts'
export { appCache } from './rsc/request/appCache.ts'
export { clientNetwork } from './rsc/request/clientNetwork.ts'
export { type CurrentRequest, currentRequest } from './rsc/request/currentRequest.ts'
export type { Sealer } from './rsc/request/draftMode.ts'
export {
  type BodyLimits,
  createBodyError,
  limitBody,
  type ReceivedText,
  readText,
} from './rsc/request/readBody.ts'
export { isCrawler } from './rsc/request/readRequest.ts'
export {
  type BeaconLimits,
  isSameOriginRequest,
  receiveBeacons,
} from './rsc/request/receiveBeacons.ts'
export { type RequestPhase, runWithRequest } from './rsc/request/scope.ts'
export { sealUser } from './rsc/request/user.ts'
export type { SealedUser } from './rsc/request/userSeals.ts'
export { withBasePath } from './shared/basePath.ts'
export { pageUrls } from './wire/pageUrls.ts'
export { refusalHeader, workerPath } from './wire/protocol.ts'
export { signalStatus } from './wire/signals.ts'
export { userCookieName } from './wire/userCookie.ts'
