export type { QueueableActions } from './client/actions/callAction.ts'
export type { ServerCall } from './client/actions/calls.ts'
export { isTakenOver, restoreOnceThere } from './client/actions/restoreInput.ts'
export type { ReceivedResponse } from './client/actions/sendCall.ts'
export { pageDataUrl } from './client/document/dataRequest.ts'
export { fieldsByKey, isSaved, savedFields } from './client/navigation/formDraft.ts'
export { draftValue } from './client/navigation/formFields.ts'
export { sessionKey } from './client/navigation/navigation.ts'
export { createNoticeBoard, documentLocale } from './client/navigation/notice.ts'
export { ServerInsertedHTMLContext } from './components/useServerInsertedHTML.ts'
export { withoutChecksum } from './shared/checksum.ts'
export { localeBlockId } from './shared/documentMarks.ts'
export { setBounded } from './shared/maps.ts'
export { pagePictures } from './shared/pagePictures.ts'
export * as protocol from './shared/protocol.ts'
export { registerSignalDigests } from './shared/signals.ts'
export {
  formatUserCookie,
  randomUserCookieValue,
  userCookieName,
  userCookieValue,
} from './shared/userCookie.ts'
export { pictureAttribute, pictureStyle } from './theme/themeStyles.ts'
