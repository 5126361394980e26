/** A message in a response of server-sent events. */
export type StreamMessage =
  | {
      readonly kind: 'event'
      readonly id: string | null
      readonly event: string
      readonly data: string
    }
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** A comment line, which tells that the server is still alive. */
  | { readonly kind: 'comment' }

type EventParserOptions = { readonly maxLength: number }

/**
 * Creates a parser for one response, which turns chunks of any size into messages. An event that is cut
 * off by the end of the response is dropped.
 * @see HTML standard, § 9.2.6
 */
export function createEventParser({ maxLength }: EventParserOptions) {
  let rest = ''
  let data: string[] = []
  let length = 0
  let event = ''
  let id: string | null = null
  let isAtStart = true

  function* endBlock(): Generator<StreamMessage> {
    if (data.length > 0) {
      yield { kind: 'event', id, event: event || 'message', data: data.join('\n') }
    }
    data = []
    length = 0
    event = ''
  }

  function* readLine(line: string): Generator<StreamMessage> {
    if (line === '') return yield* endBlock()
    const colon = line.indexOf(':')
    if (colon === 0) return yield { kind: 'comment' }
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    switch (name) {
      case 'data':
        data.push(value)
        length += value.length
        return
      case 'event':
        event = value
        return
      case 'id':
        if (!value.includes('\0')) id = value
        return
      case 'retry':
        if (/^\d+$/.test(value)) yield { kind: 'retry', afterMs: Number(value) }
    }
  }

  return function* parse(text: string): Generator<StreamMessage> {
    rest += isAtStart ? text.replace(/^\uFEFF/, '') : text
    isAtStart &&= text === ''
    // A carriage return at the end of a chunk may be the first half of a line break, so keep it.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) yield* readLine(line)
    if (rest.length + length > maxLength)
      throw new Error('The stream has an event that is too long or never ends.')
  }
}
