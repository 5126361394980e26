export type { CallOptions, QueueableActions, SentCall } from './client/actions/callAction.ts'
export type { EncodedCall } from './client/actions/callEncoding.ts'
export type { ServerCall, Submit } from './client/actions/calls.ts'
export { type RestoredValue, restoreFields, untilHydrated } from './client/actions/restoreInput.ts'
export type { ReceivedResponse } from './client/actions/sendCall.ts'
export { pageDataUrl } from './client/document/dataRequest.ts'
export { readUserCookie, writeUserCookie } from './client/document/documentUserCookie.ts'
export { onSessionChange, readSessionMark } from './client/document/sessionMark.ts'
export type { LoadedPage } from './client/navigation/fetchPage.ts'
export { fieldsByKey, isStorable, storableFields } from './client/navigation/formDraft.ts'
export { type DraftValue, draftValue, type Field } from './client/navigation/formFields.ts'
export {
  createNoticeBoard,
  documentLocale,
  type Notice,
  type NoticeAction,
  type NoticeBoard,
} from './client/navigation/notice.ts'
export type { OtherContent, Page } from './client/navigation/page.ts'
export { ServerInsertedHTMLContext } from './components/useServerInsertedHTML.ts'
export type { FallbackStatus, StatusCode } from './http/statuses.ts'
export { type LocalTexts, type PartialTexts, readPackageTexts } from './screens/packageTexts.ts'
export type { ActionTexts, ScreenLocale, ScreenTexts } from './screens/screenTexts.ts'
export { isCachedRendering } from './shared/cachedRendering.ts'
export { schemeOnlyAttribute, schemeOnlyStyle } from './theme/themeStyles.ts'
export type { ActionResponse, RefusalCode } from './wire/actionResponse.ts'
export { callHeaders, changeOf, type DataChange, type DescribedCall } from './wire/callHeaders.ts'
export { readFrames } from './wire/frames.ts'
export type { Payload, PayloadSegment, RouteState, Stylesheet } from './wire/payload.ts'
export {
  buildOf,
  loadDocumentResponse,
  refusalOf,
  wantsFresh,
  workerPath,
} from './wire/protocol.ts'
export { registerSignalDigests } from './wire/signals.ts'
export { randomUserCookieValue, userCookieValue } from './wire/userCookie.ts'
