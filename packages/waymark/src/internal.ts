export type { QueueableActions, SentCall } from './client/actions/callAction.ts'
export type { ServerCall } from './client/actions/calls.ts'
export { isTakenOver, restoreOnceThere } from './client/actions/restoreInput.ts'
export type { ReceivedResponse } from './client/actions/sendCall.ts'
export { pageDataUrl } from './client/document/dataRequest.ts'
export {
  type Draft,
  type DraftValue,
  draftValue,
  fieldsByKey,
  isSaved,
  savedFields,
} from './client/navigation/formDraft.ts'
export { sessionKey } from './client/navigation/navigation.ts'
export { createNoticeBoard, documentLocale } from './client/navigation/notice.ts'
export { verifyStream } from './client/navigation/verifiedStream.ts'
export type { LiveClient, OfflineClient } from './client/runtime.ts'
export { ServerInsertedHTMLContext } from './components/useServerInsertedHTML.ts'
export { checksumTrailerBytes, crc32, writeChecksumTrailer } from './shared/checksum.ts'
export { setBounded } from './shared/maps.ts'
export { pagePictures } from './shared/pagePictures.ts'
export { documentHeader, workerPath } from './shared/protocol.ts'
export { registerSignalDigests } from './shared/signals.ts'
export { pictureAttribute, pictureStyle } from './theme/themeStyles.ts'
