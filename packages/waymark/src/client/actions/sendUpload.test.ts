import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasFiles, sendUpload, uploadStallMs } from './sendUpload.ts'

type Handler = ((event?: unknown) => void) | null

/** The part of the browser's object that an upload uses. The test plays the network. */
class FakeRequest {
  static readonly HEADERS_RECEIVED = 2
  static current: FakeRequest
  readyState = 0
  status = 0
  responseText = ''
  isAborted = false
  readonly sentHeaders: Record<string, string> = {}
  readonly upload: Record<'onprogress' | 'onload' | 'onloadend', Handler> = {
    onprogress: null,
    onload: null,
    onloadend: null,
  }
  onreadystatechange: Handler = null
  onprogress: Handler = null
  onload: Handler = null
  onerror: Handler = null
  onabort: Handler = null

  constructor() {
    FakeRequest.current = this
  }
  open(): void {}
  overrideMimeType(): void {}
  send(): void {}
  setRequestHeader(name: string, value: string): void {
    this.sentHeaders[name] = value
  }
  getAllResponseHeaders(): string {
    return 'content-type: text/x-component\r\nx-build: 1: 2\r\n'
  }
  abort(): void {
    this.isAborted = true
    this.onabort?.()
  }
  respond(bytes: readonly number[]): void {
    this.status = 200
    this.readyState = 2
    this.onreadystatechange?.()
    for (const byte of bytes)
      this.responseText += String.fromCharCode(byte < 128 ? byte : 0xf700 + byte)
    this.onprogress?.()
    this.onload?.()
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(signal = new AbortController().signal) {
  const onProgress = vi.fn()
  const onAllSent = vi.fn()
  const body = new FormData()
  const headers = { 'x-key': 'k' }
  const sending = sendUpload({ url: '/', body, headers, signal, onProgress, onAllSent })
  sending.catch(() => {})
  const request = FakeRequest.current
  const progress = (loaded: number) => request.upload.onprogress?.({ loaded, total: 10 })
  return { sending, request, onProgress, onAllSent, progress }
}

test('an upload reports its progress, then resolves with all bytes of the response', async () => {
  const { sending, request, onProgress, onAllSent, progress } = start()
  expect(request.sentHeaders).toEqual({ 'x-key': 'k' })
  progress(5)
  expect(onProgress).toHaveBeenLastCalledWith({ sentBytes: 5, totalBytes: 10 })
  expect(onAllSent).not.toHaveBeenCalled()
  request.upload.onload?.()
  request.upload.onloadend?.()
  expect(onAllSent).toHaveBeenCalledOnce()
  expect(onProgress).toHaveBeenLastCalledWith(null)
  const all = Array.from({ length: 256 }, (_, byte) => byte)
  request.respond(all)
  const { status, headers, body } = await sending
  expect([status, headers.get('x-build')]).toEqual([200, '1: 2'])
  expect([...(await new Response(body).bytes())]).toEqual(all)
  expect(vi.getTimerCount()).toBe(0)
})

test('an upload that progresses is never cut, and one that stalls is', async () => {
  const { sending, request, onProgress, onAllSent, progress } = start()
  for (let at = 0; at < 20; at++) {
    progress(at)
    vi.advanceTimersByTime(uploadStallMs - 1)
  }
  expect(request.isAborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(request.isAborted).toBe(true)
  await expect(sending).rejects.toThrow('The upload failed.')
  expect(onProgress).toHaveBeenLastCalledWith(null)
  expect(onAllSent).not.toHaveBeenCalled()
})

test('an aborted signal ends the upload with its reason', async () => {
  const controller = new AbortController()
  const { sending, request } = start(controller.signal)
  controller.abort('dismiss')
  expect(request.isAborted).toBe(true)
  await expect(sending).rejects.toBe('dismiss')
})

test('only a body with the bytes of a file is an upload', () => {
  const form = (value: string | File) => {
    const fields = new FormData()
    fields.append('a', value as string)
    return fields
  }
  expect(hasFiles('text')).toBe(false)
  expect(hasFiles(form('text'))).toBe(false)
  expect(hasFiles(form(new File([], '')))).toBe(false)
  expect(hasFiles(form(new File(['x'], 'a')))).toBe(true)
})
