import { probeType } from '../../wire/protocol.ts'
import { isDocument } from './probedDocument.ts'

/**
 * Checks if a URL leads to a document, without `fetch`. Only loaded if another script has replaced
 * `fetch`.
 * @returns false if no response arrives within `timeoutMs`
 */
export async function probeByXhr(url: URL, timeoutMs: number): Promise<boolean> {
  const request = new XMLHttpRequest()
  request.open('GET', url)
  request.timeout = timeoutMs
  request.setRequestHeader('accept', probeType)
  request.setRequestHeader('cache-control', 'no-cache')
  await new Promise((resolve) => {
    request.onloadend = resolve
    request.send()
  })
  return isDocument({
    isOk: request.status >= 200 && request.status < 300,
    type: request.getResponseHeader('content-type') ?? '',
    text: async () => request.responseText,
  })
}
