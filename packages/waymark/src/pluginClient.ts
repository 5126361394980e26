export type { CallOptions, QueueableActions, SentCall } from './client/actions/callAction.ts'
export type { EncodedCall } from './client/actions/callEncoding.ts'
export type { ServerCall, Submit } from './client/actions/calls.ts'
export { type RestoredValue, restoreFields, untilHydrated } from './client/actions/restoreInput.ts'
export type { ReceivedResponse } from './client/actions/sendCall.ts'
export { pageDataUrl } from './client/document/dataRequest.ts'
export { readUserCookie, writeUserCookie } from './client/document/documentUserCookie.ts'
export { onSessionChange, readSessionMark } from './client/document/sessionMark.ts'
export { fieldsByKey, isStorable, storableFields } from './client/navigation/formDraft.ts'
export { type DraftValue, draftValue, type Field } from './client/navigation/formFields.ts'
export {
  createNoticeBoard,
  documentLocale,
  type Notice,
  type NoticeAction,
  type NoticeBoard,
} from './client/navigation/notice.ts'
export { ServerInsertedHTMLContext } from './components/useServerInsertedHTML.ts'
export type { ScreenLocale, ScreenTexts } from './screens/screenTexts.ts'
export type { ActionResponse } from './shared/actionResponse.ts'
export { isCachedRendering } from './shared/cachedRendering.ts'
export { callHeaders, changeOf, type DataChange, type DescribedCall } from './shared/callHeaders.ts'
export { withoutChecksum } from './shared/checksum.ts'
export { type DocumentTexts, readDocumentTexts } from './shared/documentMarks.ts'
export {
  buildOf,
  loadDocumentResponse,
  refusalOf,
  wantsFresh,
  workerPath,
} from './shared/protocol.ts'
export { registerSignalDigests } from './shared/signals.ts'
export { randomUserCookieValue, userCookieValue } from './shared/userCookie.ts'
export { schemeOnlyAttribute, schemeOnlyStyle } from './theme/themeStyles.ts'
