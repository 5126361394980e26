import { describe, expect, test } from 'vitest'
import { adminRole } from './appMap.ts'
import { oddMultipart, plainMultipart, plainParts } from './multipart.ts'
import { randomAt } from './random.ts'
import { type AttackRequest, encodeRequest, isPrivileged } from './request.ts'
import { shrink, smallerThan } from './shrink.ts'

const request: AttackRequest = {
  label: 'test',
  method: 'POST',
  target: '/open?a=1&a=2&a=3',
  headers: [
    ['host', 'x'],
    ['accept', '*/*'],
  ],
  body: {
    kind: 'multipart',
    ...plainMultipart(
      plainParts([
        ['0', '[1]'],
        ['1', '"é"'],
      ]),
    ),
  },
  isChunked: false,
  behaviour: 'leaves after 60 ms',
}

describe('an encoded request', () => {
  test('has the length of its body in bytes', async () => {
    const { bytes, headLength } = encodeRequest(request)
    const head = bytes.toString('latin1', 0, headLength)
    expect(head).toContain(`content-length: ${bytes.length - headLength}\r\n`)
    expect(await fieldsOf(bytes.subarray(headLength), head)).toEqual([
      ['0', '[1]'],
      ['1', '"é"'],
    ])
  })

  test('is chunked if it says so', () => {
    const { bytes, headLength } = encodeRequest({
      ...request,
      body: { kind: 'text', text: 'abcd' },
      isChunked: true,
    })
    expect(bytes.toString('latin1', 0, headLength)).toContain('transfer-encoding: chunked\r\n')
    expect(bytes.toString('latin1', headLength)).toBe('2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n')
  })

  test('is privileged if it contains the role anywhere, and not otherwise', () => {
    expect(isPrivileged(request)).toBe(false)
    const headers = [...request.headers, ['x-any', `a${adminRole}`] as const]
    expect(isPrivileged({ ...request, headers })).toBe(true)
  })
})

test('an odd multipart body names its boundary or none', () => {
  for (let index = 0; index < 200; index++) {
    const { boundary, contentType } = oddMultipart(randomAt(1, index), plainParts([['0', '[]']]))
    const isNamed = contentType.includes(boundary) || contentType === 'multipart/form-data'
    expect([contentType, isNamed]).toEqual([contentType, true])
  }
})

describe('minimizing a request', () => {
  test('removes something in one place', () => {
    const sizes = smallerThan(request).map((each) => encodeRequest(each).bytes.length)
    const { length } = encodeRequest(request).bytes
    expect(sizes.filter((size) => size > length)).toEqual([])
    // Expect seven variants: the client stays, one part less (twice), half of the query, no query,
    // and one header less (twice).
    expect(sizes).toHaveLength(7)
  })

  test('finds the smallest request that still fails', async () => {
    const hasPart = async ({ body }: AttackRequest) =>
      body.kind === 'multipart' && body.parts.some(({ name }) => name === '1')
    const smallest = await shrink(request, hasPart, 50)
    expect(smallest.headers).toEqual([])
    expect(smallest.target).toBe('/open')
    expect(smallest.body).toMatchObject({ parts: [{ name: '1' }] })
    expect(smallest.behaviour).toBe('stays')
  })

  test('ends after the given number of attempts', async () => {
    let calls = 0
    const never = async () => {
      calls++
      return false
    }
    expect(await shrink(request, never, 3)).toBe(request)
    expect(calls).toBe(3)
  })
})

async function fieldsOf(body: Buffer, head: string): Promise<unknown[]> {
  const type = /content-type: (.*)\r\n/.exec(head)?.[1] ?? ''
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
  return [...(await response.formData())]
}
