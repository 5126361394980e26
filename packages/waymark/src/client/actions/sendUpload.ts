import { createDeadline } from '../retry/retry.ts'

/** Progress of the body of a call that contains files. */
export type UploadProgress = {
  readonly sentBytes: number
  readonly totalBytes: number
}

type UploadRequest = {
  readonly url: string
  readonly body: FormData
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Called while the body is sent, and with `null` once it is sent or the request has failed. */
  readonly onProgress: (progress: UploadProgress | null) => void
  /** Called once the whole body has left the browser. */
  readonly onAllSent: () => void
}

/** The parts of a `Response` that a call reads. */
export type CallReply = Pick<Response, 'status' | 'headers' | 'body'>

/** Milliseconds without progress after which an upload is aborted, so that it can be sent again. */
export const uploadStallMs = 30_000

/** True if the body contains files, so that sending it may take a while. */
export function hasFiles(body: string | FormData): body is FormData {
  if (typeof body === 'string') return false
  return [...body.values()].some((value) => typeof value !== 'string' && value.size > 0)
}

/**
 * Sends a body with `XMLHttpRequest`, because `fetch` doesn't report how much of a body has been
 * sent. Resolves with the head of the response, whose body is a stream.
 */
export function sendUpload(upload: UploadRequest): Promise<CallReply> {
  const { url, body, headers, signal, onProgress, onAllSent } = upload
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const received = receivedBytes(request)
    const abort = () => request.abort()
    const stalled = createDeadline({ timeoutMs: uploadStallMs, onTimeout: abort })
    const endUpload = () => {
      stalled.stop()
      onProgress(null)
    }
    request.upload.onprogress = ({ loaded, total }) => {
      stalled.progress()
      onProgress({ sentBytes: loaded, totalBytes: total })
    }
    request.upload.onload = onAllSent
    request.upload.onloadend = endUpload
    request.onreadystatechange = () => {
      if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return
      // The server may respond before it has read the whole body.
      endUpload()
      resolve({ status: request.status, headers: headersOf(request), body: received.stream })
    }
    request.onprogress = received.read
    request.onload = () => {
      received.read()
      received.close()
    }
    const fail = () => {
      endUpload()
      signal.removeEventListener('abort', abort)
      const error = signal.aborted ? signal.reason : new TypeError('The upload failed.')
      received.fail(error)
      reject(error)
    }
    request.onerror = fail
    request.onabort = fail
    request.open('POST', url)
    // Decodes each byte as one character, whose low byte is the received byte.
    request.overrideMimeType('text/plain; charset=x-user-defined')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (signal.aborted) return fail()
    signal.addEventListener('abort', abort)
    request.send(body)
  })
}

/** Creates a stream of the bytes that a request has received. */
function receivedBytes(request: XMLHttpRequest) {
  let passedLength = 0
  let isOpen = true
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(created) {
      controller = created
    },
    cancel() {
      isOpen = false
      request.abort()
    },
  })
  return {
    stream,
    read(): void {
      const text = request.responseText.slice(passedLength)
      passedLength += text.length
      if (isOpen && text) controller?.enqueue(Uint8Array.from(text, (char) => char.charCodeAt(0)))
    },
    close(): void {
      if (isOpen) controller?.close()
      isOpen = false
    },
    fail(error: unknown): void {
      if (isOpen) controller?.error(error)
      isOpen = false
    },
  }
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
