import { expect, test } from 'vitest'
import { createAccessLog } from './accessLog.ts'

test('a log whose reader has stopped drops lines and counts them', () => {
  const lines: string[] = []
  const stream = { writableLength: 2_000_000, write: (text: string) => lines.push(text) }
  const log = createAccessLog(stream, () => 0)
  const request = {
    method: 'GET',
    route: null,
    status: 200,
    durationMs: 1.26,
    bytes: 5,
    phases: { render: 0.87 },
  }
  const rest = { digest: null, trace: null, cache: null, isCut: false }
  log({ ...request, ...rest })
  stream.writableLength = 0
  log({ ...request, ...rest })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      time: '1970-01-01T00:00:00.000Z',
      ms: 1.3,
      phases: { render: 0.9 },
      droppedLines: 1,
    }),
  ])
})
