import { expect, test, vi } from 'vitest'
import { createFrameWriter } from '../../http/frameWriter.ts'
import { crc32, type FramePosition } from '../../wire/frames.ts'
import { verifyStream } from './verifiedStream.ts'

const text = '0:{"a":"#"}\n1:{"b":"grün"}\n#2:x\n'
const whole = framed(text)

/** Encodes a payload like the server, with a frame for each flush. */
function framed(...flushes: string[]): Uint8Array {
  const writer = createFrameWriter()
  const isLast = (index: number) => index === flushes.length - 1
  return new Uint8Array(
    Buffer.concat(flushes.map((part, index) => writer.write([part], isLast(index)))),
  )
}

/** Creates a body that sends the bytes in pieces of the same size. */
function bodyOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.slice(at, at + size))
      }
      controller.close()
    },
  })
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let read = ''
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    read += decoder.decode(piece, { stream: true })
  }
  return read
}

test.each([1, 2, 7, 10, 11, 1000])('passes on a payload in pieces of %i bytes', async (size) => {
  const onProgress = vi.fn()
  const verified = verifyStream(bodyOf(whole, size), onProgress)
  expect(await readAll(verified.stream)).toBe(text)
  await verified.whole
  expect(onProgress).toHaveBeenCalledTimes(Math.ceil(whole.length / size))
})

test('a cut at any byte is detected', async () => {
  for (let length = 0; length < whole.length; length++) {
    const { whole: verdict } = verifyStream(bodyOf(whole.slice(0, length), 5), () => {})
    await expect(verdict, `cut at ${length}`).rejects.toThrow('cut off or changed')
  }
})

test('a changed byte is detected anywhere', async () => {
  for (let at = 0; at < whole.length; at++) {
    const changed = whole.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    const { whole: verdict } = verifyStream(bodyOf(changed, 5), () => {})
    await expect(verdict, `changed at ${at}`).rejects.toThrow('cut off or changed')
  }
})

const flushes = ['0:{"a":"$1"}\n', '1:{"b":"grün"}\n2:T4,\n\n\n\n', '3:null\n', '']
const payload = Buffer.from(flushes.join(''))
const streamed = framed(...flushes)
const firstPart = framed(flushes[0] ?? '').length

/** Reads all bytes that a decoder would get. */
async function passedOn({ stream, whole: verdict }: ReturnType<typeof verifyStream>) {
  const reader = stream.getReader()
  const pieces: Uint8Array[] = []
  let hasEnded = false
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value)
    }
    hasEnded = true
  })()
  reading.catch(() => {})
  await verdict.catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 0))
  return { bytes: Buffer.concat(pieces), hasEnded }
}

test.each([1, 3, 19, 20, 21, 1000])(
  'passes on all frames of a streaming page in pieces of %i bytes',
  async (size) => {
    const { bytes, hasEnded } = await passedOn(verifyStream(bodyOf(streamed, size), () => {}))
    expect(bytes).toEqual(payload)
    expect(hasEnded).toBe(true)
  },
)

test('passes a frame on only after its checksum has arrived', async () => {
  let send: (bytes: Uint8Array) => void = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (bytes) => controller.enqueue(bytes)
    },
  })
  const reader = verifyStream(body, () => {}).stream.getReader()
  const read = reader.read()
  const silence = () => new Promise((resolve) => setTimeout(resolve, 5, 'silence'))
  send(streamed.slice(0, firstPart - 1))
  expect(await Promise.race([read, silence()])).toBe('silence')
  send(streamed.slice(firstPart - 1, firstPart + 5))
  expect((await read).value?.length).toBeGreaterThan(0)
})

test('no changed data is passed on, and the decoder keeps waiting', async () => {
  for (let at = 0; at < streamed.length; at++) {
    for (const size of [5, 1000]) {
      const changed = streamed.slice()
      changed[at] = (changed[at] ?? 0) ^ 1
      for (const body of [changed, streamed.slice(0, at)]) {
        const { bytes, hasEnded } = await passedOn(verifyStream(bodyOf(body, size), () => {}))
        expect(bytes, `at ${at}`).toEqual(payload.subarray(0, bytes.length))
        expect(bytes.length, `at ${at}`).toBeLessThanOrEqual(at)
        expect(hasEnded, `at ${at}`).toBe(false)
        if (at > firstPart) expect(bytes.length, `at ${at}`).toBeGreaterThan(0)
      }
    }
  }
})

test('changed data ends the response at once, even if more data would follow', async () => {
  const changed = streamed.slice()
  changed[firstPart + 12] = 0
  const onCancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(changed),
    cancel: onCancel,
  })
  await expect(verifyStream(body, () => {}).whole).rejects.toThrow('cut off or changed')
  expect(onCancel).toHaveBeenCalledTimes(1)
})

test('after broken data, reading resumes at the byte after the last verified one', async () => {
  const changed = streamed.slice()
  changed[firstPart + 12] = 0
  const resume = vi.fn(async ({ byteCount, checksum }: FramePosition) => {
    expect(checksum).toBe(crc32(streamed.subarray(0, byteCount)))
    return bodyOf(streamed.slice(byteCount), 6)
  })
  const { bytes, hasEnded } = await passedOn(verifyStream(bodyOf(changed, 5), () => {}, resume))
  expect(bytes).toEqual(payload)
  expect(hasEnded).toBe(true)
  expect(resume).toHaveBeenCalledTimes(1)
})

/** Creates a body that sends some pieces and stays open until it is canceled. */
function openBody(...pieces: Uint8Array[]) {
  const cancel = vi.fn<(reason: unknown) => void>()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
    },
    cancel,
  })
  return { body, cancel }
}

test('canceling the reader ends the response, which is not requested again', async () => {
  const { body, cancel } = openBody(streamed.slice(0, firstPart))
  const resume = vi.fn(async () => null)
  const { stream, whole: verdict } = verifyStream(body, () => {}, resume)
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel('left')
  expect(cancel).toHaveBeenCalledExactlyOnceWith('left')
  await expect(verdict).rejects.toThrow('was canceled')
  expect(resume).not.toHaveBeenCalled()
})

test('canceling the reader also ends the rest that is being requested', async () => {
  const rest = openBody()
  let respond = () => {}
  const resume = () =>
    new Promise<ReadableStream<Uint8Array>>((resolve) => {
      respond = () => resolve(rest.body)
    })
  const cut = bodyOf(streamed.slice(0, firstPart), 1000)
  const { stream, whole: verdict } = verifyStream(cut, () => {}, resume)
  const reader = stream.getReader()
  await reader.read()
  await new Promise((resolve) => setTimeout(resolve, 0))
  await reader.cancel('left')
  respond()
  await expect(verdict).rejects.toThrow('was canceled')
  expect(rest.cancel).toHaveBeenCalledOnce()
})
