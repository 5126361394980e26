export {
  type Cookies,
  cookies,
  type DraftMode,
  draftMode,
  headers,
  type ReadonlyHeaders,
} from 'waymark/server'
